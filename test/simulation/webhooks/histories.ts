import { AsyncLocalStorage } from 'node:async_hooks';
import type { DynamoDBRecord } from 'aws-lambda';
import { sqs } from '../../../lib/aws/queues.ts';
import { redeliveryRequest } from '../../../lib/contract/webhookRedeliveries.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { deliverMessages } from '../../../lib/webhooks/deliverMessages.ts';
import { fanOut, fanOutDeferred } from '../../../lib/webhooks/events/fanOut.ts';
import { type Delivery, logPositionOf } from '../../../lib/webhooks/model/delivery.ts';
import type { Secrets } from '../../../lib/webhooks/model/secrets.ts';
import {
  fromConsole,
  isProbed,
  isSent,
  type Subscription,
} from '../../../lib/webhooks/model/subscription.ts';
import {
  blockedHostKey,
  secretsKey,
  subscriptionKey,
  suspensionKey,
} from '../../../lib/webhooks/model/webhookKeys.ts';
import {
  changeByOperator,
  resumeAccount,
  setBlocked,
  suspendAccount,
} from '../../../lib/webhooks/receivers/blockedHosts.ts';
import { type Redelivery, startRedelivery } from '../../../lib/webhooks/redelivery/bulkRedelivery.ts';
import { redeliver } from '../../../lib/webhooks/redelivery/redeliver.ts';
import type { SendResult } from '../../../lib/webhooks/sending/send.ts';
import { deleteSubscription } from '../../../lib/webhooks/subscriptions/deleteSubscription.ts';
import { rotateSecret } from '../../../lib/webhooks/subscriptions/rotateSecret.ts';
import { updateSubscription } from '../../../lib/webhooks/subscriptions/updateSubscription.ts';
import { aStreamedRecord, changeTo } from '../../support/data/streamedChanges.ts';
import { SimulatedDatabase } from '../database.ts';
import type { Item } from '../expressions.ts';
import { Random } from '../random.ts';
import { runUntil, sleep } from '../virtualTime.ts';
import { DueIndex } from './dueIndex.ts';
import { receivers } from './receivers.ts';

// Random histories of one subscription, with the real code in virtual time: events, stops, blocked hosts, rotations, a receiver that fails,
// and redeliveries, while messages are lost, doubled and late, and functions die before or after any call, or stall. Then everything works again,
// and what is left must be sent.

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const account = 'acc_one';
const id = `whs_${'0'.repeat(24)}`;
const hosts = ['93.184.216.34', '93.184.216.35'];
const urlOf = (host: string) => `https://${host}/hook`;

/** A read before a stop counts for so long. */
const claimMs = 25 * second;
/** A function is killed after this time. */
const timeoutMs = 60 * second;
/** How long a message stays away whose function has died. */
const visibilityMs = 3 * minute;
const waitMax = 30 * day;

/** An invocation, or somebody's call. */
interface Actor {
  history: number;
  isDead: boolean;
  die: () => void;
}

export interface Histories {
  /** The first seed. */
  first: number;
  count: number;
  /** Attributes of which every comparison holds: a guard that is taken out. */
  ignored?: string[];
}

export interface HistoriesResult {
  histories: number;
  events: number;
  deaths: number;
  /** The seeds of the histories that broke a promise. */
  found: Record<string, number[]>;
}

/** Runs histories until one breaks a promise. */
export async function runHistories({ first, count, ignored = [] }: Histories): Promise<HistoriesResult> {
  const all: HistoriesResult = { histories: 0, events: 0, deaths: 0, found: {} };
  for (let seed = first; seed < first + count; seed++) {
    const history = new History(seed, new Set(ignored), ++all.histories);
    await runUntil(history.run());
    const { violations, events, deaths } = history.result;
    for (const violation of violations) all.found[violation] = [...(all.found[violation] ?? []), seed];
    all.events += events;
    all.deaths += deaths;
    if (violations.length > 0) break;
  }
  return all;
}

class History {
  readonly result = { violations: [] as string[], deaths: 0, events: 0 };
  private readonly number: number;
  private readonly random: Random;
  private readonly database: SimulatedDatabase;
  private readonly due: DueIndex;
  private readonly actors = new AsyncLocalStorage<Actor>();
  private readonly ignored: ReadonlySet<string>;
  private isCalm = false;
  private mode: 'up' | 'down' | 'hangs' | 'refuses' = 'up';
  private readonly poison = new Set<string>();
  private readonly sending = new Map<string, Actor>();
  /** When each event was accepted. */
  private readonly accepted = new Map<string, number[]>();
  private readonly askedAt = new Map<string, number>();
  /** The newest secret. */
  private rotated: { secret: string; at: number } | undefined;
  private stoppedSince: number | undefined;
  private downSince: number | undefined;
  private sentWhileDown = 0;
  private records: ReturnType<typeof aStreamedRecord>[] = [];

  constructor(seed: number, ignored: ReadonlySet<string>, number: number) {
    this.number = number;
    this.random = new Random(seed);
    this.ignored = ignored;
    // Slow calls let more happen between two of them.
    this.database = new SimulatedDatabase(this.pick([5, 400]), this.random);
    this.due = new DueIndex(this.database);
  }

  private chance = (share: number): boolean => this.random.next() < share;
  private pick = <T>(all: readonly T[]): T => all[this.random.below(all.length)] as T;
  private bad(what: string): void {
    if (!this.result.violations.includes(what)) this.result.violations.push(what);
  }

  private get subscription(): Subscription | undefined {
    return this.database.get(subscriptionKey(account, id)) as Subscription | undefined;
  }

  private get deliveries(): Delivery[] {
    return this.database.items().filter(({ phase }) => phase !== undefined) as unknown as Delivery[];
  }

  private get redelivery(): Redelivery | undefined {
    const all = this.database.items().filter(({ sk }) => String(sk).startsWith('rdl_'));
    return all.find(({ state }) => state === 'running') as Redelivery | undefined;
  }

  async run(): Promise<void> {
    Math.random = this.random.next;
    Object.assign(dynamodb(), { send: (command: Command) => this.call(command) });
    Object.assign(sqs(), { send: (command: SqsCommand) => this.enqueue(command) });
    receivers.answer = (_, event, secrets) => this.receive(event, secrets);
    this.subscribe();
    void this.due.sweeps(
      () => this.isOver,
      (work) => this.invoke(work),
    );
    for (let turn = 0; turn < 120; turn++) await this.turn();
    await this.end();
  }

  private subscribe(): void {
    const [host] = hosts as [string];
    const isProven = this.chance(0.7);
    this.database.set({
      ...subscriptionKey(account, id),
      id,
      url: urlOf(host),
      host,
      event_types: ['*'],
      payload: 'full',
      max_per_second: this.chance(0.2) ? 2 : null,
      status: 'active',
      status_reason: null,
      version: 1,
      key_ids: [],
      receiver: {
        speed: 'quick',
        ...(isProven ? { accepted_host: host } : {}),
        consecutive_failures: 0,
        last_success_at: null,
        last_failure_at: null,
      },
      created_at: '2025-01-01T00:00:00.000Z',
      logged: { count: 0, days: {} },
      recovery: { next: 0, from: 0, steps: 0 },
    });
    this.database.set({ ...secretsKey(account, id), secrets: [{ secret: 's' }] });
  }

  /** Lets something happen, and some time pass. */
  private async turn(): Promise<void> {
    const x = this.random.next();
    const deadline = Date.now() + 10 * second;
    const status = this.chance(0.5) ? 'paused' : 'active';
    const by = { by: fromConsole, deadline, ifMatch: () => {} };
    const some = this.deliveries;
    if (x < 0.3 && some.length < 60) this.act(() => this.change(1 + this.random.below(6)));
    else if (x < 0.4) this.act(() => updateSubscription(account, id, { status }, by));
    else if (x < 0.44) this.act(() => (this.chance(0.5) ? suspendAccount(account) : resumeAccount(account)));
    else if (x < 0.6) this.mode = this.pick(['up', 'up', 'down', 'hangs', 'refuses']);
    else if (x < 0.63 && some.length > 0) this.poison.add(this.pick(some).event_id);
    else if (x < 0.72 && some.length > 0) this.act(() => this.again(this.pick(some)));
    else if (x < 0.76) this.act(() => this.againAll());
    else if (x < 0.77) this.act(() => updateSubscription(account, id, { url: urlOf(this.pick(hosts)) }, by));
    else if (x < 0.82) this.act(() => this.rotate());
    else if (x < 0.86) this.act(() => (this.chance(0.6) ? this.block() : this.unblock()));
    else if (x < 0.862) this.act(() => deleteSubscription(account, id, deadline));
    const y = this.random.next();
    await sleep(
      y < 0.5
        ? this.random.next() * 3 * second
        : y < 0.8
          ? 30 * second + this.random.next() * minute
          : y < 0.9
            ? 20 * minute
            : y < 0.98
              ? 6 * hour
              : this.chance(0.1)
                ? 12 * day
                : day,
    );
    this.check();
  }

  /** Somebody's call, which may fail. */
  private act(work: () => Promise<unknown>): void {
    void this.invoke(work).catch(() => {});
  }

  /** Runs work that may die. @returns whether it ended */
  private invoke(work: () => Promise<unknown>): Promise<boolean> {
    return new Promise((resolve) => {
      const actor: Actor = { history: this.number, isDead: false, die: () => {} };
      actor.die = () => {
        actor.isDead = true;
        resolve(false);
      };
      void sleep(timeoutMs).then(actor.die);
      this.actors.run(actor, () => {
        work().then(
          () => resolve(true),
          (error: unknown) => {
            if (!(error instanceof Error && 'status' in error) && this.isCalm) this.bad(`an error: ${error}`);
            resolve(false);
          },
        );
      });
    });
  }

  private async change(count: number): Promise<void> {
    const records = Array.from({ length: count }, (_, i) =>
      aStreamedRecord(account, this.records.length + i),
    );
    this.records.push(...records);
    this.result.events += count;
    await this.handOver(records.map((record) => changeTo(record, 1, { note: 'canary' })));
  }

  private async handOver(changes: DynamoDBRecord[]): Promise<void> {
    let left = changes;
    // The stream hands over again what failed.
    for (let tries = 0; left.length > 0 && tries < 100; tries++) {
      const before = left;
      await new Promise<void>((resolve) => {
        void this.invoke(async () => {
          const failed = await fanOut(before, Date.now() + 10 * second);
          left = before.filter(({ dynamodb }) => failed.includes(dynamodb?.SequenceNumber as string));
        }).then(() => resolve());
      });
      await sleep(second);
    }
  }

  private async again({ id: delivery, event_id }: Delivery): Promise<void> {
    const options = {
      access: { kind: 'full' },
      deadline: Date.now() + 10 * second,
      once: undefined,
    } as const;
    await redeliver(account, id, delivery, options);
    this.askedAt.set(event_id, Date.now());
  }

  private async againAll(): Promise<void> {
    const request = redeliveryRequest().parse({ since: '2025-01-01T00:00:00Z', status: 'all' });
    await startRedelivery(account, id, request, { deadline: Date.now() + 10 * second, once: undefined });
  }

  private async rotate(): Promise<void> {
    const options = { by: fromConsole, deadline: Date.now() + 10 * second, once: undefined };
    // A rotation whose response is lost may have been made, so nothing is expected until one returns.
    this.rotated = undefined;
    const { body } = await rotateSecret(account, id, this.pick([0, 3600]), options);
    this.rotated = { secret: body.secret, at: Date.now() };
  }

  /** Blocks the present host. The operator does not find the subscription, so its next attempt stops it. */
  private async block(): Promise<void> {
    if (this.subscription) await setBlocked(this.subscription.host, true);
  }

  private async unblock(): Promise<void> {
    for (const host of hosts) await setBlocked(host, false);
    await changeByOperator('unblock', account, id);
  }

  /** A call to the database: the actor may die before or after it, or stall. */
  private async call(command: Command): Promise<unknown> {
    const actor = this.actors.getStore();
    const never = new Promise<never>(() => {});
    if (actor && (actor.isDead || actor.history !== this.number)) return never;
    const dies = actor !== undefined && !this.isCalm && this.chance(0.01);
    const isAfter = this.chance(0.5);
    if (dies && !isAfter) return this.kill(actor, never);
    if (actor && !this.isCalm && this.chance(0.002)) await sleep(claimMs + this.random.next() * 20 * second);
    if (actor?.isDead) return never;
    const answer = await this.answer(command);
    this.note();
    if (dies) return this.kill(actor, never);
    return actor?.isDead ? never : answer;
  }

  private kill(actor: Actor, never: Promise<never>): Promise<never> {
    this.result.deaths += 1;
    actor.die();
    return never;
  }

  private async answer(command: Command): Promise<unknown> {
    const { input } = command;
    if (input.IndexName === 'due') return this.due.query(input);
    for (const write of [
      input,
      ...((input.TransactItems as Item[]) ?? []).flatMap((part) => Object.values(part)),
    ])
      Object.assign(write as object, { ignored: this.ignored });
    return this.database.send(command);
  }

  /** Follows the state of the subscription. */
  private note(): void {
    const { subscription } = this;
    const suspension = this.database.get(suspensionKey(account));
    const isStopped =
      !subscription ||
      suspension?.suspended_at !== undefined ||
      this.database.get(blockedHostKey(subscription.host)) !== undefined ||
      !(isSent(subscription) || isProbed(subscription));
    this.stoppedSince = isStopped ? (this.stoppedSince ?? Date.now()) : undefined;
    const isDown = subscription !== undefined && isProbed(subscription);
    if (!isDown || this.downSince === undefined) this.sentWhileDown = 0;
    this.downSince = isDown ? (this.downSince ?? Date.now()) : undefined;
  }

  private check(): void {
    const { subscription } = this;
    if (!subscription) return;
    const { recovery, enqueue_at } = subscription;
    for (const delivery of this.deliveries) {
      const { phase, due_partition } = delivery;
      const isHeld = phase.at !== 'ended' && due_partition === undefined;
      if (isHeld && logPositionOf(delivery) < recovery.next)
        this.bad('a delivery is held, and the recovery has passed it');
      if (isHeld && enqueue_at === undefined) this.bad('a delivery is held, and no recovery is due');
      if (phase.at === 'waiting' && due_partition === undefined)
        this.bad('a delivery waits, and is in no index');
    }
  }

  private async receive({ id: event }: { id: string }, secrets: Secrets): Promise<SendResult> {
    const actor = this.actors.getStore() as Actor;
    const now = Date.now();
    const started_at = new Date(now).toISOString();
    if (actor.history !== this.number) return new Promise(() => {});
    if (this.stoppedSince !== undefined && now - this.stoppedSince > claimMs)
      this.bad('sent long after a stop');
    if (this.downSince !== undefined && now - this.downSince > claimMs) {
      this.sentWhileDown += 1;
      if (this.sentWhileDown > 60 + this.askedAt.size * 3 + (now - this.downSince) / (4 * hour))
        this.bad('too many attempts at a receiver that is down');
    }
    const { secret, at = now } = this.rotated ?? {};
    if (now - at > claimMs && !secrets.secrets.some((one) => one.secret === secret))
      this.bad('signed without the newest secret');
    const other = this.sending.get(event);
    if (other && other !== actor && !other.isDead) this.bad('two attempts of a delivery at the same time');
    this.sending.set(event, actor);
    const isPoison = this.poison.has(event);
    await sleep(this.mode === 'hangs' ? 15 * second : 30 + this.random.next() * 500);
    if (this.sending.get(event) === actor) this.sending.delete(event);
    const http_status =
      this.mode === 'hangs' ? null : isPoison ? 404 : { up: 200, down: 503, refuses: 429 }[this.mode];
    if (http_status === 200) this.accepted.set(event, [...(this.accepted.get(event) ?? []), Date.now()]);
    const outcome = http_status === 200 ? 'success' : http_status === null ? 'timeout' : 'http_error';
    const attempt = {
      started_at,
      duration_ms: Date.now() - now,
      http_status,
      outcome,
      reason: null,
      response_excerpt: 'x',
    } as const;
    return { attempt, retryAfter: undefined };
  }

  /** Messages are lost, late and double. */
  private async enqueue({ input }: SqsCommand): Promise<unknown> {
    await sleep(5);
    const entries = 'Entries' in input ? input.Entries : [{ ...input, Id: '0' }];
    const isDeferred = input.QueueUrl.endsWith('deferred');
    for (const { MessageBody, DelaySeconds = 0 } of entries) {
      if (!this.isCalm && !isDeferred && this.chance(0.06)) continue;
      for (let copies = !this.isCalm && this.chance(0.06) ? 2 : 1; copies > 0; copies--)
        void this.deliverLater(MessageBody, input.QueueUrl, DelaySeconds * second);
    }
    return { Successful: entries.map(({ Id }) => ({ Id })) };
  }

  private async deliverLater(body: string, queue: string, delayMs: number): Promise<void> {
    await sleep(
      delayMs + 20 + (this.isCalm ? 0 : this.random.next() * (this.chance(0.05) ? 5 * minute : 400)),
    );
    const isDeferred = queue.endsWith('deferred');
    for (let receives = 1; receives <= (isDeferred ? 40 : 3); receives++) {
      const record = {
        messageId: '1',
        body,
        eventSourceARN: `arn:aws:sqs:x:y:${queue.split('/').at(-1)}`,
        attributes: { ApproximateReceiveCount: String(receives) },
      } as never;
      let failed: string[] = ['1'];
      const handle = isDeferred ? fanOutDeferred : deliverMessages;
      await this.invoke(async () => {
        failed = await handle([record]);
      });
      if (failed.length === 0) return;
      await sleep(visibilityMs);
    }
  }

  private isOver = false;

  /** Everything works again. */
  private async end(): Promise<void> {
    this.isCalm = true;
    this.mode = 'up';
    await sleep(5 * minute);
    const deadline = Date.now() + hour;
    if (this.subscription) {
      await this.invoke(() => resumeAccount(account));
      await this.invoke(() => this.unblock());
      const by = { by: fromConsole, deadline, ifMatch: () => {} };
      await this.invoke(() => updateSubscription(account, id, { status: 'active' }, by));
    }
    const isDone = () =>
      this.redelivery === undefined &&
      (!this.subscription ||
        (this.subscription.enqueue_at === undefined &&
          this.deliveries.every(({ phase }) => phase.at === 'ended')));
    for (let hours = 0; hours < 60 * 24 && !isDone(); hours++) {
      await sleep(hour);
      this.check();
    }
    this.isOver = true;
    if (this.redelivery) this.bad('a redelivery does not end');
    if (this.subscription) for (const delivery of this.deliveries) this.checkEnd(delivery);
    if (this.subscription) this.checkRedeliveries();
  }

  private checkEnd({ phase, event_id, created_at }: Delivery): void {
    const accepted = this.accepted.get(event_id) ?? [];
    const asked = this.askedAt.get(event_id);
    if (phase.at !== 'ended') {
      this.bad(`not ended: ${phase.at}`);
      return;
    }
    if (phase.how === 'succeeded' && accepted.length === 0)
      this.bad('counted as succeeded, and not accepted');
    if (phase.how === 'cancelled') this.bad('cancelled');
    if (phase.how === 'failed' && phase.why === 'refused' && !this.poison.has(event_id))
      this.bad('refused by nobody');
    if (phase.how === 'failed' && phase.why === 'expired' && Date.now() - Date.parse(created_at) < waitMax)
      this.bad('expired too early');
    if (phase.how === 'succeeded' && asked !== undefined && !accepted.some((at) => at >= asked - timeoutMs))
      this.bad('asked for again, and not accepted after that');
  }

  private checkRedeliveries(): void {
    const items = this.database
      .items()
      .filter(({ sk }) => String(sk).startsWith('rdl_')) as unknown as Redelivery[];
    const last = items.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1)).at(-1);
    if (last?.state !== 'completed') return;
    const sent = this.deliveries.filter(({ redelivery }) => redelivery === last.sk).length;
    if (last.redelivered !== sent) this.bad('a redelivery counts wrong');
    if (last.redelivered + last.skipped !== last.total) this.bad('a redelivery forgets some');
  }
}

interface Command {
  input: Item;
  constructor: { name: string };
}

interface SqsCommand {
  input: { QueueUrl: string; MessageBody: string; DelaySeconds?: number } | EntriesInput;
}

interface EntriesInput {
  QueueUrl: string;
  Entries: { Id: string; MessageBody: string; DelaySeconds?: number }[];
}
