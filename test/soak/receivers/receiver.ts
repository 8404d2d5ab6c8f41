import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import type { Account } from '../client/account.ts';
import { Versions } from '../model/versions.ts';
import type { Behaviour, Failure } from './behaviours.ts';
import { type Event, wrongWithEvent } from './event.ts';

/** A receiver of the webhooks of an account. */
export class Receiver {
  readonly account: Account;
  readonly behaviour: Behaviour;
  /** Which versions of which contacts it has accepted the events of. */
  readonly accepted = new Versions();
  /** How many attempts came, and how many of them after the event had been accepted. */
  attempts = { all: 0, again: 0 };
  /** The attempts that it still refuses, by event. */
  private readonly failing = new Map<string, Failure[]>();
  private webhook: Webhook | undefined;
  private server: Server | undefined;
  private port = 0;

  constructor(account: Account, behaviour: Behaviour) {
    this.account = account;
    this.behaviour = behaviour;
  }

  get name(): string {
    return `the ${this.behaviour.name} receiver of ${this.account.name}`;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  /** From now on, this secret is what verifies. */
  trust(secret: string): void {
    this.webhook = new Webhook(secret);
  }

  /** Opens its port: the same one each time. */
  async open(): Promise<void> {
    const server = createServer(
      (request, answer) => void this.receive(request, answer).catch(() => answer.destroy()),
    );
    this.server = server;
    await once(server.listen(this.port, '127.0.0.1'), 'listening');
    this.port = (server.address() as AddressInfo).port;
  }

  /** From now on it refuses connections; those that are open end. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server?.close(resolve));
    this.server?.closeAllConnections();
    await closed;
  }

  /** One that closes at times is closed for some seconds again and again, until the signal. Then it is open. */
  async closeAtTimes(signal: AbortSignal): Promise<void> {
    if (!this.behaviour.closes) return;
    const { random } = this.account;
    const pass = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {});
    while (!signal.aborted) {
      await pass(5000 + random.below(40_000));
      await this.close();
      await pass(500 + random.below(2500));
      await this.open();
    }
  }

  private async receive(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await text(request);
    const event = this.verified(body, request);
    if (!event) return void answer.writeHead(400).end();
    this.attempts.all += 1;
    const row = this.account.records.rowOf(event.resource.id);
    if (this.accepted.has(row, event.resource.version)) this.attempts.again += 1;
    else this.account.report(wrongWithEvent(this.account, event));
    await sleep(this.behaviour.delayMs(this.account.random));
    const failure = this.nextFailure(event, row);
    if (failure) return failure(answer);
    answer.writeHead(204).end();
    this.accepted.add(row, event.resource.version);
  }

  private verified(body: string, { headers }: IncomingMessage): Event | undefined {
    try {
      return this.webhook?.verify(body, headers as Record<string, string>) as Event | undefined;
    } catch (error) {
      this.account.report(`${this.name} got a webhook without a valid signature: ${error}`);
      return undefined;
    }
  }

  /** The failure of this attempt; undefined when the event is accepted. */
  private nextFailure({ id, resource }: Event, row: number): Failure | undefined {
    if (this.accepted.has(row, resource.version)) return undefined;
    const rest = this.failing.get(id) ?? [...this.behaviour.failures(this.account.random)];
    const failure = rest.shift();
    if (failure) this.failing.set(id, rest);
    else this.failing.delete(id);
    return failure;
  }
}
