import { AsyncLocalStorage } from 'node:async_hooks';
import type { DynamoDBRecord, SQSRecord } from 'aws-lambda';
import { handler as fanOutChanges } from '../../../functions/pipeline/fanOutChanges.ts';
import { sqs } from '../../../lib/aws/queues.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { deferChanges } from '../../../lib/records/deferChanges.ts';
import { deleteNamed } from '../../../lib/records/deletion/deleteNamed.ts';
import { redactionKey } from '../../../lib/records/deletion/redaction.ts';
import { counterKey, recordKey } from '../../../lib/records/recordKeys.ts';
import { byProduct } from '../../../lib/records/recordOrigin.ts';
import { deliverMessages } from '../../../lib/webhooks/deliverMessages.ts';
import { fanOutDeferred } from '../../../lib/webhooks/events/fanOut.ts';
import { getDelivery } from '../../../lib/webhooks/log/deliveryLog.ts';
import { listDeliveries } from '../../../lib/webhooks/log/listDeliveries.ts';
import type { Delivery } from '../../../lib/webhooks/model/delivery.ts';
import { deferredFanOut } from '../../../lib/webhooks/redaction/redactionTurn.ts';
import { redeliver } from '../../../lib/webhooks/redelivery/redeliver.ts';
import type { SendResult } from '../../../lib/webhooks/sending/send.ts';
import { aStreamedRecord, changeTo, type StreamedRecord } from '../../support/data/streamedChanges.ts';
import { asFunction } from '../../support/permissions/asFunction.ts';
import { SimulatedDatabase } from '../database.ts';
import type { Item } from '../expressions.ts';
import { Random } from '../random.ts';
import { settings } from '../settings.ts';
import { runUntil, sleep } from '../virtualTime.ts';
import { DueIndex } from './dueIndex.ts';
import { subscribe } from './fairness.ts';
import { invoked, SimulatedQueue } from './queue.ts';
import { receivers } from './receivers.ts';

// Random histories of deletions, with the real code in virtual time: records change and are deleted while changes come late and twice,
// functions die at any call or stall, items cannot be written, receivers quote what they were sent before, and clients read deliveries
// and send them again.

const handler = asFunction('fanOutChanges', fanOutChanges);

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

const account = 'acc_one';

/** An attempt begins at most so long after its reads. */
const startMs = 9 * second;
/** A function is killed after this time. */
const timeoutMs = 60 * second;
/** SQS gives a message up after so many receives. */
const receivesMax = 40;
/** When no function dies any more. */
const faultsMs = 2 * minute;

export interface Deletions {
  /** The first seed. */
  first: number;
  count: number;
}

export interface DeletionsResult {
  histories: number;
  deletions: number;
  deaths: number;
  /** The seeds of the histories that broke a promise. */
  found: Record<string, number[]>;
}

/** Runs histories until one breaks a promise. */
export async function runDeletions({ first, count }: Deletions): Promise<DeletionsResult> {
  const all: DeletionsResult = { histories: 0, deletions: 0, deaths: 0, found: {} };
  for (let seed = first; seed < first + count; seed++) {
    const history = new History(seed);
    all.histories += 1;
    await runUntil(history.run());
    history.isOver = true;
    for (const violation of history.violations)
      all.found[violation] = [...(all.found[violation] ?? []), seed];
    all.deletions += history.deletedAt.size;
    all.deaths += history.deaths;
    if (history.violations.size > 0) break;
  }
  return all;
}

/** An invocation. */
interface Actor {
  since: number;
  isDead: boolean;
  die: () => void;
  /** When the read of each event was begun. */
  readAt: Map<string, number>;
}

/** A record, and the version that it has. */
interface Changing {
  record: StreamedRecord;
  version: number;
}

const content = (record: string, version: number) => `canary ${record} ${version}`;

class History {
  readonly violations = new Set<string>();
  readonly deletedAt = new Map<string, number>();
  deaths = 0;
  isOver = false;
  private readonly random: Random;
  private readonly database: SimulatedDatabase;
  private readonly readMs: number;
  private readonly due: DueIndex;
  private readonly actors = new AsyncLocalStorage<Actor>();
  private readonly records: Changing[];
  private readonly queues: Map<string, SimulatedQueue>;
  private readonly began = Date.now();
  private readonly isFaulty: boolean;
  /** Items that cannot be written, each with its event. */
  private readonly poison = new Map<string, string>();
  private deadLetters: string[] = [];
  /** What each receiver was sent about a record. */
  private readonly remembered = new Map<string, string>();
  private open = 0;

  constructor(seed: number) {
    this.random = new Random(seed);
    // Calls that are longer than a turn, too.
    const distance = this.pick(['aws', 'aws', 300] as const);
    this.database = new SimulatedDatabase(distance, this.random);
    this.readMs = distance === 'aws' ? 6 : 600;
    this.due = new DueIndex(this.database);
    this.isFaulty = this.chance(0.8);
    this.records = Array.from({ length: 1 + this.random.below(3) }, (_, i) => ({
      record: aStreamedRecord(account, i),
      version: 0,
    }));
    const { deferred, deliveries } = settings.webhooks;
    const queue = (name: string, size: typeof deferred | typeof deliveries, work: Handler) =>
      [
        name,
        new SimulatedQueue({
          name,
          ...size,
          handle: invoked((messages) => this.handle(messages, work)),
        }),
      ] as const;
    this.queues = new Map([
      queue('deferred', deferred, fanOutDeferred),
      queue('quick', deliveries, deliverMessages),
      queue('slow', deliveries, deliverMessages),
    ]);
  }

  private chance = (share: number): boolean => this.random.next() < share;
  private pick = <T>(all: readonly T[]): T => all[this.random.below(all.length)] as T;
  private get mayFail(): boolean {
    return this.isFaulty && Date.now() < this.began + faultsMs;
  }

  private items = (): Item[] => this.database.items();
  private allDeliveries = () =>
    this.items().filter(({ phase }) => phase !== undefined) as unknown as Delivery[];

  async run(): Promise<void> {
    Math.random = this.random.next;
    Object.assign(dynamodb(), { send: (command: Command) => this.call(command) });
    Object.assign(sqs(), { send: (command: SqsCommand) => this.send(command) });
    receivers.answer = (url, event) => this.receive(url, event);
    for (let nth = this.random.below(4); nth >= 0; nth--) this.subscribe(nth);
    const { record } = this.records[0] as Changing;
    this.database.set({ ...counterKey(record), count: this.records.length });
    void this.due.sweeps(
      () => this.isOver,
      (work) => this.invoke(work),
    );
    for (const one of this.records) this.change(one, 1 + this.random.below(30));
    for (let turn = 0; turn < 25; turn++) await this.turn();
    for (const { record } of this.records.slice(0, this.isFaulty ? 1 : undefined))
      this.act(() => this.delete(record));
    await this.end();
  }

  private subscribe(nth: number): void {
    subscribe(this.database, account, nth, { path: `${nth}`, isQuick: true });
    const key = { pk: `${account}#subscriptions`, sk: `whs_${String(nth).padStart(24, '0')}` };
    this.database.set({ ...this.database.get(key), event_types: ['*'] });
  }

  /** Lets something happen, and some time pass. */
  private async turn(): Promise<void> {
    const x = this.random.next();
    const one = this.pick(this.records);
    const deliveries = this.allDeliveries();
    if (x < 0.35) this.change(one, 1 + this.random.below(4));
    else if (x < 0.45) this.act(() => this.delete(one.record));
    else if (x < 0.6 && deliveries.length > 0) this.act(() => this.get(this.pick(deliveries)));
    else if (x < 0.7) this.act(() => this.list());
    else if (x < 0.9 && deliveries.length > 0) this.act(() => this.again(this.pick(deliveries)));
    else if (x < 0.93 && deliveries.length > 0 && this.isFaulty)
      this.spoil(
        this.pick(this.items().filter(({ delivery_positions, phase }) => delivery_positions ?? phase)),
      );
    await sleep(this.random.next() * this.pick([100, second, 10 * second]));
  }

  private spoil(item: Item): void {
    this.poison.set(nameOf(item), eventOf(item));
  }

  /** A record gets versions, unless it was deleted. */
  private change(one: Changing, count: number): void {
    for (let i = 0; i < count; i++) {
      const { record } = one;
      const key = recordKey(record, record.position);
      if (this.database.get(key)?.deleted_at !== undefined) return;
      one.version += 1;
      const change = changeTo(record, one.version, { note: content(record.id, one.version) });
      const { note, ...image } = contactAt(record, one.version);
      this.database.set({ ...key, ...image, note });
      this.handOver(change);
    }
  }

  private async delete({ id }: StreamedRecord): Promise<void> {
    await deleteNamed(
      { account, type: 'contact' },
      { recordId: id },
      { origin: byProduct, deadline: Date.now() + 10 * second },
    );
  }

  /** The stream hands a change over until it is done, and perhaps once more. Some come late: from the queue, or from an operator. */
  private handOver(change: DynamoDBRecord): void {
    const isLate = this.isFaulty && this.chance(0.1);
    const lateMs = this.random.next() * this.pick([second, 10 * second, 10 * minute]);
    const isDeferred = isLate && this.chance(0.5);
    for (let copies = this.isFaulty && this.chance(0.05) ? 2 : 1; copies > 0; copies--) {
      const afterMs = (isLate ? lateMs : 50) + (copies - 1) * 30 * second * this.random.next();
      this.busy(async () => {
        await sleep(afterMs);
        if (isDeferred) await deferChanges(deferredFanOut, [change]);
        else await this.stream(change);
      });
    }
  }

  private async stream(change: DynamoDBRecord): Promise<void> {
    for (let isDone = false; !isDone; await sleep(second))
      await this.invoke(async () => {
        const { batchItemFailures } = await handler({ Records: [change] }, context);
        isDone = batchItemFailures.length === 0;
      });
  }

  private checkShown(shown: unknown, since: number): void {
    for (const [record, at] of this.deletedAt)
      if (at < since && JSON.stringify(shown).includes(`canary ${record}`))
        this.violations.add('a client was shown content of a deleted record');
  }

  private async get({ pk, id }: Delivery): Promise<void> {
    const since = Date.now();
    const [, subscription = ''] = pk.split('#');
    this.checkShown(await getDelivery(account, subscription, id, { kind: 'full' }), since);
  }

  private async list(): Promise<void> {
    const since = Date.now();
    const query = { limit: 100, offset: 0 } as Parameters<typeof listDeliveries>[2];
    this.checkShown(await listDeliveries(account, `whs_${'0'.repeat(24)}`, query, { kind: 'full' }), since);
  }

  private async again({ pk, id }: Delivery): Promise<void> {
    const since = Date.now();
    const [, subscription = ''] = pk.split('#');
    const options = { access: { kind: 'full' }, deadline: since + 10 * second, once: undefined } as const;
    this.checkShown((await redeliver(account, subscription, id, options)).body, since);
  }

  /** Somebody's call, which may fail. */
  private act(work: () => Promise<unknown>): void {
    this.busy(() => this.invoke(work));
  }

  /** Work that must be over before the history ends. */
  private busy(work: () => Promise<unknown>): void {
    this.open += 1;
    void work().finally(() => {
      this.open -= 1;
    });
  }

  /** Runs work that may die. @returns whether it ended */
  private invoke(work: () => Promise<unknown>): Promise<boolean> {
    return new Promise((resolve) => {
      const actor: Actor = { since: Date.now(), isDead: false, die: () => {}, readAt: new Map() };
      actor.die = () => {
        actor.isDead = true;
        resolve(false);
      };
      void sleep(timeoutMs).then(actor.die);
      this.actors.run(actor, () => {
        work().then(
          () => resolve(true),
          () => resolve(false),
        );
      });
    });
  }

  /** Lets a function handle messages. Those of one that dies come back. @returns the ids of those that failed */
  private async handle(messages: SQSRecord[], work: Handler): Promise<string[]> {
    let failed = messages.map(({ messageId }) => messageId);
    await this.invoke(async () => {
      failed = await work(messages);
    });
    return failed.filter((id) => {
      const message = messages.find(({ messageId }) => messageId === id) as SQSRecord;
      const isOver = Number(message.attributes.ApproximateReceiveCount) >= receivesMax;
      if (isOver) this.deadLetters.push(message.body);
      return !isOver;
    });
  }

  /** A call to the database: the actor may die before or after it, or stall. */
  private async call(command: Command): Promise<unknown> {
    const actor = this.actors.getStore();
    const never = new Promise<never>(() => {});
    if (actor?.isDead || this.isOver) return never;
    const dies = actor !== undefined && this.mayFail && this.chance(0.01);
    const isAfter = this.chance(0.5);
    if (dies && !isAfter) return this.kill(actor, never);
    const answer = await this.answer(command, actor);
    this.observe();
    if (dies) return this.kill(actor, never);
    if (actor && this.mayFail && this.chance(0.004))
      await sleep(10 * second + this.random.next() * 60 * second);
    return actor?.isDead ? never : answer;
  }

  private kill(actor: Actor, never: Promise<never>): Promise<never> {
    this.deaths += 1;
    actor.die();
    return never;
  }

  private async answer(command: Command, actor: Actor | undefined): Promise<unknown> {
    const { input } = command;
    if (input.IndexName === 'due') return this.due.query(input);
    if (command.constructor.name === 'BatchGetCommand') return this.readEach(input, actor);
    if (command.constructor.name === 'UpdateCommand' && this.poison.has(nameOf(input.Key as Item))) {
      await sleep(5);
      throw new Error('This item cannot be written');
    }
    return this.database.send(command);
  }

  /** DynamoDB reads the items of a batch at different moments. */
  private async readEach(input: Item, actor: Actor | undefined): Promise<unknown> {
    const [[table, { Keys }]] = Object.entries(input.RequestItems as Record<string, { Keys: Item[] }>) as [
      [string, { Keys: Item[] }],
    ];
    const since = Date.now();
    for (const { pk, sk } of Keys)
      if (sk === 'event') actor?.readAt.set(String(pk).split('#')[2] as string, since);
    const read = async (key: Item) => {
      await sleep(this.random.next() * this.readMs);
      return this.database.get(key);
    };
    const items = await Promise.all(Keys.map(read));
    return { Responses: { [table]: structuredClone(items.filter(Boolean)) }, UnprocessedKeys: {} };
  }

  /** Notes deletions, which come into the stream. */
  private observe(): void {
    for (const { record, version } of this.records) {
      if (this.deletedAt.has(record.id)) continue;
      const item = this.database.get(recordKey(record, record.position));
      if (item?.deleted_at === undefined) continue;
      this.deletedAt.set(record.id, Date.now());
      this.handOver(changeTo(record, version + 1, { deleted_at: item.deleted_at }));
    }
  }

  private async receive(url: string, { id: event, body }: { id: string; body: string }): Promise<SendResult> {
    const actor = this.actors.getStore() as Actor;
    const started_at = new Date().toISOString();
    const [record = ''] = /con_\w+/.exec(body) ?? [];
    const deletedAt = this.deletedAt.get(record);
    if (deletedAt !== undefined && body.includes('canary')) {
      if ((actor.readAt.get(event) ?? 0) > deletedAt)
        this.violations.add('content was sent after the deletion');
      if (Date.now() > deletedAt + startMs) this.violations.add('content was sent long after the deletion');
    }
    const remembered = body.includes('canary')
      ? body
      : (this.remembered.get(`${url} ${record}`) ?? 'nothing');
    this.remembered.set(`${url} ${record}`, remembered);
    await sleep(this.chance(0.1) ? this.random.next() * 14 * second : 30 + this.random.next() * 100);
    const isAccepted = this.chance(0.7);
    const attempt = {
      started_at,
      duration_ms: 50,
      http_status: isAccepted ? 200 : 503,
      outcome: isAccepted ? 'success' : 'http_error',
      reason: null,
      response_excerpt: this.chance(0.3) ? null : remembered,
    } as const;
    return { attempt, retryAfter: undefined };
  }

  /** Messages come twice. */
  private async send({ input }: SqsCommand): Promise<unknown> {
    const actor = this.actors.getStore();
    await sleep(5);
    const entries = 'Entries' in input ? input.Entries : [{ ...input, Id: '0' }];
    const queue = this.queues.get(input.QueueUrl.split('/').at(-1) as string);
    for (const { MessageBody, DelaySeconds = 0 } of entries) {
      // The outbox is none of these.
      if (!queue) this.checkShown(MessageBody, actor?.since ?? 0);
      for (let copies = this.mayFail && this.chance(0.05) ? 2 : 1; copies > 0; copies--)
        queue?.send(MessageBody, account, DelaySeconds + (copies - 1) * this.random.next() * 200);
    }
    return { Successful: entries.map(({ Id }) => ({ Id })) };
  }

  /** Everything works again, and an operator brings dead letters back. */
  private async end(): Promise<void> {
    await sleep(faultsMs);
    const isDone = () =>
      this.open === 0 &&
      this.allDeliveries().every(({ phase }) => phase.at === 'ended') &&
      [...this.deletedAt.keys()].every((id) => this.isRedacted(id));
    const isStuck = this.poison.size > 0;
    for (let minutes = 0; minutes < 30 && !isDone(); minutes++) await sleep(minute);
    const ofPoison = new Set(this.poison.values());
    for (const item of this.contentOf([...this.deletedAt.keys()]))
      if (!ofPoison.has(eventOf(item)))
        this.violations.add('content stays because of an item that cannot be written');
    this.poison.clear();
    for (let minutes = 0; minutes < 600 && !isDone(); minutes++) {
      await sleep(minute);
      for (const body of this.deadLetters.splice(0)) {
        if (!isStuck) this.violations.add('a message was given up');
        this.queues.get('deferred')?.send(body, account);
      }
    }
    // What is still under way when nothing is left to do changes nothing.
    await sleep(hour);
    this.checkEnd();
  }

  private contentOf = (ids: readonly string[]): Item[] =>
    this.items().filter((item) => ids.some((id) => JSON.stringify(item).includes(`canary ${id}`)));

  private isRedacted(id: string): boolean {
    const item = this.database.get(redactionKey(account, id));
    return item?.left === 0 && (item.stuck as number[]).length === 0;
  }

  private checkEnd(): void {
    for (const id of this.deletedAt.keys()) {
      if (!this.isRedacted(id)) this.violations.add('a redaction does not end');
      if (this.contentOf([id]).length > 0) this.violations.add('content of a deleted record is stored');
    }
    const deliveries = this.allDeliveries();
    const names = new Set(deliveries.map(({ pk, event_id }) => `${pk.split('#')[1]} ${event_id}`));
    if (names.size < deliveries.length) this.violations.add('an event has two deliveries in a log');
    for (const { record } of this.records)
      if (
        this.deletedAt.has(record.id) &&
        !deliveries.some(
          ({ resource, event_type }) => resource.id === record.id && event_type === 'contact.deleted',
        )
      )
        this.violations.add('subscribers are not told of a deletion');
  }
}

/** The fields of a version, as `changeTo` has them in its change. */
function contactAt({ id }: StreamedRecord, version: number) {
  const at = new Date(Date.UTC(2026, 2, 1, 9, 30, version)).toISOString();
  return { id, version, created_at: '2026-03-01T09:30:00.000Z', updated_at: at, note: content(id, version) };
}

type Handler = (messages: SQSRecord[]) => Promise<string[]>;

/** The event of an event or a delivery. */
const eventOf = ({ pk, event_id }: Item): string =>
  (event_id as string | undefined) ?? String(pk).split('#')[2] ?? '';

const nameOf = ({ pk, sk }: Item): string => `${pk} ${sk}`;

const context = {
  awsRequestId: 'simulated',
  getRemainingTimeInMillis: () => 30 * second,
} as never;

interface Command {
  input: Item;
  constructor: { name: string };
}

interface SqsCommand {
  input:
    | { QueueUrl: string; MessageBody: string; DelaySeconds?: number }
    | { QueueUrl: string; Entries: { Id: string; MessageBody: string; DelaySeconds?: number }[] };
}
