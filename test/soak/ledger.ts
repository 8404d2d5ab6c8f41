import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import type { ChangeList } from '../../lib/contract/changes.ts';
import type { SubscriptionWithSecret } from '../../lib/contract/webhookSubscriptions.ts';
import type { BothSides } from '../product/support/bothSides.ts';
import type { Random } from '../simulation/random.ts';
import { listening } from '../support/http/loopback.ts';

interface Event {
  id: string;
  resource: { id: string; version: number };
}

/** How many of a hundred events the receiver refuses once. */
const refusedPercent = 10;

/** The time between two looks for what is new, in milliseconds. */
export const pollMs = 500;

/** Counts each version of each record in the feed of changes, and at a receiver of webhooks. */
export class Ledger {
  /** What no order of things explains. */
  readonly wrong: string[] = [];
  readonly counts = { changes: 0, attempts: 0, refused: 0 };
  private readonly both: BothSides;
  private readonly random: Random;
  private readonly server = createServer((request, answer) => {
    text(request)
      .then((body) => this.receive(body, request, answer))
      .catch(() => answer.destroy());
  });
  private webhook: Webhook | undefined;
  /** The latest change that was read. */
  private after = -1;
  /** The latest version in the feed, and the versions that the receiver has accepted, by the id of the record. */
  private readonly inFeed = new Map<string, number>();
  private readonly accepted = new Map<string, Set<number>>();
  private readonly refused = new Set<string>();

  constructor(both: BothSides, random: Random) {
    this.both = both;
    this.random = random;
  }

  /** Opens the receiver, and subscribes it to all changes of records. */
  async open(): Promise<void> {
    const url = `${await listening(this.server)}/hook`;
    const body = { url, event_types: this.both.eventTypes };
    const { reply } = await this.both.call('POST', '/webhook-subscriptions', body);
    this.webhook = new Webhook((reply.body as SubscriptionWithSecret).secret);
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private receive(body: string, { headers }: IncomingMessage, answer: ServerResponse): void {
    const { id, resource } = (this.webhook as Webhook).verify(
      body,
      headers as Record<string, string>,
    ) as Event;
    this.counts.attempts += 1;
    if (!this.refused.has(id) && this.random.below(100) < refusedPercent) {
      this.refused.add(id);
      this.counts.refused += 1;
      return void answer.writeHead(500).end();
    }
    this.accepted.set(resource.id, (this.accepted.get(resource.id) ?? new Set()).add(resource.version));
    answer.writeHead(204).end();
  }

  /** Follows the feed until a signal. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) if (!(await this.readPage())) await sleep(pollMs);
  }

  /** Numbers have no gaps, and the versions of a record are in order. @returns whether there is more to read */
  private async readPage(): Promise<boolean> {
    const { reply } = await this.both.call('GET', `/changes?after=${this.after}&limit=100`);
    const { data, pagination } = reply.body as ChangeList;
    for (const { number, resource } of data) {
      if (number !== this.after + 1) this.wrong.push(`change ${number} comes after change ${this.after}`);
      this.after = number;
      this.counts.changes += 1;
      if (resource.type === 'subscription') continue;
      const before = this.inFeed.get(resource.id) ?? 0;
      if (resource.version !== before + 1)
        this.wrong.push(`change ${number} is version ${resource.version} of ${resource.id}, after ${before}`);
      this.inFeed.set(resource.id, resource.version);
    }
    return pagination.has_more;
  }

  /** Returns what is missing in the feed or at the receiver, of the records as they are now. */
  async missing(): Promise<string[]> {
    while (await this.readPage());
    return (await this.both.records()).flatMap(({ id, version }) => {
      const lost = Array.from({ length: version }, (_, i) => i + 1).filter(
        (one) => !this.accepted.get(id)?.has(one),
      );
      return [
        ...(this.inFeed.get(id) === version
          ? []
          : [`${id} has version ${version}, the feed ${this.inFeed.get(id)}`]),
        ...(lost.length === 0 ? [] : [`${id}: no webhook of the versions ${lost}`]),
      ];
    });
  }
}
