import { randomBytes } from 'node:crypto';
import { deleteMany } from '../../dynamodb/batch.ts';
import { pause } from '../../dynamodb/conflicts.ts';
import { absent, is } from '../../dynamodb/expressions.ts';
import type { Item, Key } from '../../dynamodb/item.ts';
import { queryPages } from '../../dynamodb/query.ts';
import { readItem } from '../../dynamodb/tableHandle.ts';
import { records } from '../../dynamodb/tables.ts';
import { type ActionOf, transactionBytesMax, writePut, writeUpdate } from '../../dynamodb/transact.ts';
import { base32 } from '../../ids.ts';
import { describeError, log } from '../../logs/log.ts';
import type { Stored } from '../../resources/collection.ts';
import { CollectionMap } from '../collectionMap.ts';
import { type CollectionRef, outcomeKey, queuePartitions, ticketKey } from '../keys.ts';
import { bytesOf, type CommitPoint, type Draft } from './draft.ts';

// The commit queue of a collection. Records stand at the positions 0 … count-1, so each create needs the count, and creates at the same
// moment would refuse each other. Therefore whoever loses puts its draft into this queue, and one process, the leader, commits what waits
// there, up to 49 records in a transaction. Two hundred writers then make 1,399 creates a second (docs/benchmarks.md), where one makes 93.
// Nothing depends on there being one leader: a transaction requires the count that it has read and no outcome of its drafts, so a
// second leader, or one that dies, only costs time. Each item of the queue is written by one process.
//
//   alone ──lost──▶ queued ──its outcome is there──▶ committed, or refused
//                     │ nobody leads, or it was appointed
//                     ▼
//                   leads ──its drafts are committed──▶ appoints the next one

export interface Queued<R extends Stored> {
  /** Begins with the time at which it was made, so tickets sort by time. */
  ticket: string;
  /** Epoch milliseconds. After it the client has got an error, so the draft must not be committed any more. */
  deadline: number;
  /** Undefined for a bulk: it commits its own drafts when it leads. */
  draft?: Draft<R>;
}

const timeKey = (time: number): string => String(time).padStart(15, '0');

/** @param end makes it different from those of the same moment, which are in the order of their ends */
export const newTicket = (end = newTicketEnd()): string => `${timeKey(Date.now())}-${end}`;

export const newTicketEnd = (): string => base32(randomBytes(10));

const ageOf = (ticket: string): number => Date.now() - Number(ticket.split('-')[0]);

/** How long DynamoDB keeps the items that a crash leaves behind. A deadline is a few seconds away. */
const keptSeconds = 3600;

const timeToLive = (): number => Math.ceil(Date.now() / 1000) + keptSeconds;

/**
 * Puts an item that is new. When the answer is lost, the SDK repeats the put, and the item may have been removed meanwhile: then it is
 * there again, and the outcome of its draft says that it is finished.
 */
export async function putIntoQueue<R extends Stored>(ref: CollectionRef, queued: Queued<R>): Promise<void> {
  const { ticket, ...content } = queued;
  const item = { ...ticketKey(ref, ticket), ...content, ttl: timeToLive() };
  await writePut(records.put(item, { if: { pk: absent } }));
}

/** How many items of a partition are read at most: more than two transactions can carry. */
const frontMax = 100;

/** An older entry is past any deadline. */
const horizonMs = 30_000;

/** Returns what waits and is not past its deadline, oldest first, up to what fills a transaction. */
export async function readQueue<R extends Stored>(ref: CollectionRef): Promise<Queued<R>[]> {
  const parts = await Promise.all(queuePartitions(ref).map((partition) => readPartition<R>(partition)));
  return parts.flat().sort((a, b) => (a.ticket < b.ticket ? -1 : 1));
}

async function readPartition<R extends Stored>(partition: string): Promise<Queued<R>[]> {
  const queued: Queued<R>[] = [];
  let bytes = 0;
  for await (const { sk, deadline, draft } of itemsOf(partition, frontMax)) {
    const one = { ticket: sk, deadline, ...(draft ? { draft } : {}) } as Queued<R>;
    queued.push(one);
    bytes += one.draft ? bytesOf(one.draft) : 0;
    if (queued.length >= frontMax || bytes > transactionBytesMax) break;
  }
  return queued;
}

/** The oldest ticket of the queue; undefined when nothing waits. */
async function oldestTicket(ref: CollectionRef, abortSignal: AbortSignal): Promise<string | undefined> {
  const fronts = queuePartitions(ref).map(async (partition) => {
    const first = await itemsOf(partition, 1, { ProjectionExpression: 'sk', abortSignal }).next();
    return first.done ? [] : [first.value.sk as string];
  });
  return (await Promise.all(fronts)).flat().sort()[0];
}

/** The items of a partition that are not past their deadline, oldest first. */
async function* itemsOf(
  partition: string,
  pageSize: number,
  { abortSignal, ...query }: { ProjectionExpression?: string; abortSignal?: AbortSignal | undefined } = {},
): AsyncGenerator<Item> {
  const now = Date.now();
  const pages = queryPages(
    {
      ...records.where({ pk: partition, sk: is('>', timeKey(now - horizonMs)) }, { deadline: is('>', now) }),
      ConsistentRead: true,
      // It also counts the items that the filter leaves out.
      Limit: pageSize,
      ...query,
    },
    abortSignal && { abortSignal },
  );
  for await (const items of pages) yield* items;
}

/** A client may wait for its answer while its process removes items. */
const removalMaxMs = 1000;

const removalTriesMax = 3;

/** A partition may be busy, or a transaction at an item. */
const removalPauseMs = 20;

/**
 * Removes what is finished. What cannot be removed costs the next leader a transaction without effect, and is removed by it, or by its time
 * to live.
 */
export async function removeTickets(ref: CollectionRef, tickets: readonly string[]): Promise<void> {
  const abortSignal = AbortSignal.timeout(removalMaxMs);
  let rest: Key[] = tickets.map((ticket) => ticketKey(ref, ticket));
  for (let tries = 1; rest.length > 0 && tries <= removalTriesMax; tries++)
    try {
      if (tries > 1) await pause(removalPauseMs * tries);
      rest = await deleteMany(records.name, rest, abortSignal);
    } catch (error) {
      if (tries < removalTriesMax && !abortSignal.aborted) continue;
      log.warn('items stay behind in the commit queue', { error: describeError(error) });
      return;
    }
}

/** A commit queue as its leader sees it: what it has read of the queue, without what it has finished since. */
export class QueueView<R extends Stored> {
  private readonly ref: CollectionRef;
  private readonly finished = new Set<string>();
  private queue: readonly Queued<R>[] = [];
  private removing: Promise<unknown> = Promise.resolve();

  constructor(ref: CollectionRef) {
    this.ref = ref;
  }

  async read(): Promise<void> {
    this.queue = await readQueue<R>(this.ref);
  }

  /** A queue that cannot be read counts as empty: those who wait lead themselves then. */
  async look(): Promise<void> {
    this.queue = await readQueue<R>(this.ref).catch(() => []);
  }

  /** Returns what waits and is not past its deadline, oldest first. */
  waiting(): Queued<R>[] {
    const now = Date.now();
    return this.queue.filter(({ ticket, deadline }) => deadline > now && !this.finished.has(ticket));
  }

  finish(ticket: string): void {
    this.finished.add(ticket);
  }

  /** No client waits for this, but for that of the leader at the end. */
  remove(tickets: readonly string[]): void {
    this.removing = Promise.all([this.removing, removeTickets(this.ref, tickets)]);
  }

  removed = async (): Promise<void> => void (await this.removing);
}

// The outcomes of queued drafts. The transaction that commits a draft also puts its outcome, with the condition that it has none: so
// a draft is committed at most once, whichever process does it, however often it is tried, and whatever is still in the queue.

/**
 * The outcome of a draft. `taken`: its external id belongs to another record. `repeated`: its request has been answered
 * before. `together` is the number of drafts in the transaction.
 */
export type DraftOutcome =
  | ({ kind: 'committed'; together?: number } & CommitPoint)
  | { kind: 'taken'; by: string }
  | { kind: 'repeated' };

const hasNone = { outcome: absent };

/** The action that notes the outcome of a draft, in the transaction that commits it. */
export const outcomeAction = (ref: CollectionRef, ticket: string, outcome: DraftOutcome): ActionOf<'Put'> =>
  records.put({ ...outcomeKey(ref, ticket), outcome, ttl: timeToLive() }, { if: hasNone });

export interface OutcomeNote {
  outcome: DraftOutcome | undefined;
  /** The ticket of the leader in whose place this process is to lead at once; undefined when none has appointed it. */
  appointedBy: string | undefined;
  /** The ticket of the leader that passes its lease to this process with its last commit; undefined when none does. */
  succeeds: string | undefined;
}

export async function readOutcome(ref: CollectionRef, ticket: string): Promise<OutcomeNote> {
  const item = await readItem(records, outcomeKey(ref, ticket));
  return {
    outcome: item?.outcome as DraftOutcome | undefined,
    appointedBy: item?.appointed_by as string | undefined,
    succeeds: item?.succeeds as string | undefined,
  };
}

/**
 * Makes a process that waits the next leader. One that is appointed leads at once: until the lease has run out, no other process tries to.
 * One that succeeds leads when it gets the lease, or the lease ends.
 * @returns false when it was appointed or named before, or its draft does not wait any more
 */
export async function noteLeader(
  ref: CollectionRef,
  ticket: string,
  as: 'appointed_by' | 'succeeds',
  leader: string,
): Promise<boolean> {
  const update = records.update(
    outcomeKey(ref, ticket),
    { [as]: leader, ttl: timeToLive() },
    { if: { ...hasNone, appointed_by: absent, succeeds: absent } },
  );
  return (await writeUpdate(update)).committed;
}

/**
 * Withdraws a draft. The mark stays: a put that arrives later, after its sender gave up, finds the draft finished.
 * @returns the outcome that the draft already had; undefined when it was not committed, and now never will be
 */
export async function withdrawDraft(ref: CollectionRef, ticket: string): Promise<DraftOutcome | undefined> {
  const mark = records.update(
    outcomeKey(ref, ticket),
    { outcome: { kind: 'withdrawn' }, ttl: timeToLive() },
    { if: hasNone, showsItem: true },
  );
  const { refused } = await writeUpdate(mark);
  const outcome = refused?.item?.outcome as DraftOutcome | { kind: 'withdrawn' } | undefined;
  await removeTickets(ref, [ticket]);
  return outcome?.kind === 'withdrawn' ? undefined : outcome;
}

/** Until when this process expects others to create in a collection at the same moment, in epoch milliseconds. */
const expectedUntil = new CollectionMap<number>();

/**
 * Longer than the gaps between the creates of many clients, so that they keep using the queue. Short enough that a single
 * client soon commits directly again.
 */
const expectedMs = 1000;

/** When this many drafts are committed together, more creates are expected. */
export const contendedMin = 3;

/** Notes that others create in a collection right now. This process then uses the queue without losing a race first. */
export function noteContention(ref: CollectionRef): void {
  expectedUntil.set(ref, Date.now() + expectedMs);
  noteOtherWriters(ref);
}

export const isContended = (ref: CollectionRef): boolean => (expectedUntil.get(ref) ?? 0) > Date.now();

/** Until when this process expects others to create in a collection now and then, in epoch milliseconds. */
const othersUntil = new CollectionMap<number>();

/** The creates of a client that writes now and then are seconds apart. */
const othersMs = 60_000;

/** Notes that the counter which this process remembers is out of date, or soon will be. */
export const noteOtherWriters = (ref: CollectionRef): void => othersUntil.set(ref, Date.now() + othersMs);

/** Whether the head of a collection is better read than remembered: a transaction without effect takes four times as long as a read. */
export const hasOtherWriters = (ref: CollectionRef): boolean => (othersUntil.get(ref) ?? 0) > Date.now();

const checkedAt = new CollectionMap<number>();
const checkEveryMs = 250;

/** A draft that has waited no longer than this is being committed. */
const usualWaitMs = 100;

/** A create waits for the check, which only serves others: so it may take no longer than this. */
const checkMaxMs = 100;

/**
 * Checks now and then whether drafts wait in the queue. Without it, a process that wins every race would never learn that
 * others wait. A check that fails is ignored.
 */
export async function checkQueue(ref: CollectionRef): Promise<void> {
  const now = Date.now();
  if (now - (checkedAt.get(ref) ?? 0) < checkEveryMs) return;
  checkedAt.set(ref, now);
  const oldest = await oldestTicket(ref, AbortSignal.timeout(checkMaxMs)).catch(() => undefined);
  if (oldest !== undefined && ageOf(oldest) > usualWaitMs) noteContention(ref);
}
