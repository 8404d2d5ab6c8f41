import { randomBytes } from 'node:crypto';
import { pause } from '../../dynamodb/conflicts.ts';
import { absent, is } from '../../dynamodb/expressions.ts';
import type { Item, Key } from '../../dynamodb/item.ts';
import { deleteMany } from '../../dynamodb/manyItems.ts';
import { queryPages } from '../../dynamodb/query.ts';
import { readItem } from '../../dynamodb/tableHandle.ts';
import { records } from '../../dynamodb/tables.ts';
import { type ActionOf, transactionBytesMax, writePut, writeUpdate } from '../../dynamodb/transact.ts';
import { base32 } from '../../ids.ts';
import { describeError, log } from '../../logs/log.ts';
import type { Stored } from '../../resources/collection.ts';
import { CollectionMap } from '../collectionMap.ts';
import { bytesOf, type CommitPoint, type Draft } from '../recordItem.ts';
import { type CollectionRef, outcomeKey, queuePartitions, ticketKey } from '../recordKeys.ts';

// The commit queue of a collection. Records have the positions 0 … count-1, so each create needs the count, and concurrent creates would refuse
// each other. A process that loses this race therefore puts its draft into this queue. One process, the leader, commits the waiting drafts, up
// to 49 records in a transaction, or 33 if they have external ids. Two hundred writers then make 1,399 creates a second (docs/benchmarks.md), while a single writer makes 93.
// Correctness does not depend on a single leader. A transaction requires the count that it has read, and that its drafts have no outcome. A
// second leader, or one that dies, therefore only costs time.
//
//   alone ──lost──▶ queued ──its outcome is there──▶ committed, or refused
//                     │ nobody leads, or it was appointed
//                     ▼
//                   leads ──its drafts are committed──▶ appoints the next one

export interface Queued<R extends Stored> {
  /** Begins with its creation time, so tickets sort by time. */
  ticket: string;
  /** Epoch milliseconds. The client gets an error at the deadline, so nobody may commit the draft after it. */
  deadline: number;
  /** Undefined for a bulk, which commits its own drafts when it leads. */
  draft?: Draft<R>;
}

const timeKey = (time: number): string => String(time).padStart(15, '0');

/** @param end distinguishes tickets of the same millisecond, which sort by it */
export const newTicket = (end = newTicketEnd()): string => `${timeKey(Date.now())}-${end}`;

export const newTicketEnd = (): string => base32(randomBytes(10));

const ageOf = (ticket: string): number => Date.now() - Number(ticket.split('-')[0]);

/** How long DynamoDB keeps items that a crash leaves behind. Deadlines are only a few seconds away. */
const keptSeconds = 3600;

const timeToLive = (): number => Math.ceil(Date.now() / 1000) + keptSeconds;

/**
 * Puts a new item into the queue. If the response is lost, the SDK repeats the put, possibly after the item was removed. The item is then back
 * in the queue, but the outcome of its draft marks it as finished.
 */
export async function putIntoQueue<R extends Stored>(ref: CollectionRef, queued: Queued<R>): Promise<void> {
  const { ticket, ...content } = queued;
  const item = { ...ticketKey(ref, ticket), ...content, ttl: timeToLive() };
  await writePut(records.put(item, { if: { pk: absent } }));
}

/** The most items that are read from a partition: more than two transactions can carry. */
const frontMax = 100;

/** An older entry is past every deadline. */
const horizonMs = 30_000;

/** Returns the entries that are not past their deadline, oldest first, up to what fills a transaction. */
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

/** Returns the oldest ticket of the queue; undefined if the queue is empty. */
async function oldestTicket(ref: CollectionRef, abortSignal: AbortSignal): Promise<string | undefined> {
  const fronts = queuePartitions(ref).map(async (partition) => {
    const first = await itemsOf(partition, 1, { ProjectionExpression: 'sk', abortSignal }).next();
    return first.done ? [] : [first.value.sk as string];
  });
  return (await Promise.all(fronts)).flat().sort()[0];
}

/** Yields the items of a partition that are not past their deadline, oldest first. */
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
      // The limit includes the items that the filter leaves out.
      Limit: pageSize,
      ...query,
    },
    abortSignal && { abortSignal },
  );
  for await (const items of pages) yield* items;
}

/** A client may wait for its response while its process removes items. */
const removalMaxMs = 1000;

const removalTriesMax = 3;

/** The partition may be busy, or a transaction may be writing the item. */
const removalPauseMs = 20;

/**
 * Removes finished items. An item that stays costs the next leader a transaction without effect. That leader or the time to live removes it.
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

/** A commit queue as its leader sees it: the entries that it has read, without those that it has finished since. */
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

  /** Reads the queue again. A queue that cannot be read counts as empty, because waiting processes then lead themselves. */
  async readOrEmpty(): Promise<void> {
    this.queue = await readQueue<R>(this.ref).catch(() => []);
  }

  /** Returns the entries that are not past their deadline, oldest first. */
  waiting(): Queued<R>[] {
    const now = Date.now();
    return this.queue.filter(({ ticket, deadline }) => deadline > now && !this.finished.has(ticket));
  }

  finish(ticket: string): void {
    this.finished.add(ticket);
  }

  /** Removes tickets in the background. Only the leader's own client waits for this, at the end. */
  remove(tickets: readonly string[]): void {
    this.removing = Promise.all([this.removing, removeTickets(this.ref, tickets)]);
  }

  removalsDone = async (): Promise<void> => void (await this.removing);
}

// The outcomes of queued drafts. The transaction that commits a draft also puts its outcome, on the condition that it has none. A draft is
// therefore committed at most once, whichever process commits it, however often it is tried, and whatever is still in the queue.

/**
 * The outcome of a draft. `taken`: its external id or its row belongs to another record, or its name was deleted. `repeated`: its request already has a response. `together` is the
 * number of drafts in the transaction.
 */
export type DraftOutcome =
  | ({ kind: 'committed'; together?: number } & CommitPoint)
  | { kind: 'taken'; by: string }
  | { kind: 'repeated' };

const hasNone = { outcome: absent };

/** Returns the action that stores the outcome of a draft. It belongs to the transaction that commits the draft. */
export const outcomeAction = (ref: CollectionRef, ticket: string, outcome: DraftOutcome): ActionOf<'Put'> =>
  records.put({ ...outcomeKey(ref, ticket), outcome, ttl: timeToLive() }, { if: hasNone });

export interface OutcomeNote {
  outcome: DraftOutcome | undefined;
  /** The ticket of the leader that this process replaces at once; undefined if none has appointed it. */
  appointedBy: string | undefined;
  /** The ticket of the leader that passes its lease to this process with its last commit; undefined if none does. */
  successorOf: string | undefined;
}

export async function readOutcome(ref: CollectionRef, ticket: string): Promise<OutcomeNote> {
  const item = await readItem(records, outcomeKey(ref, ticket));
  return {
    outcome: item?.outcome as DraftOutcome | undefined,
    appointedBy: item?.appointed_by as string | undefined,
    successorOf: item?.successor_of as string | undefined,
  };
}

/**
 * Makes a waiting process the next leader. An appointed process leads at once, and no other process tries to until the lease has expired. A
 * successor leads as soon as it gets the lease or the lease ends.
 * @returns false if the process was appointed or named before, or its draft no longer waits
 */
export async function noteLeader(
  ref: CollectionRef,
  ticket: string,
  as: 'appointed_by' | 'successor_of',
  leader: string,
): Promise<boolean> {
  const update = records.update(
    outcomeKey(ref, ticket),
    { [as]: leader, ttl: timeToLive() },
    { if: { ...hasNone, appointed_by: absent, successor_of: absent } },
  );
  return (await writeUpdate(update)).committed;
}

/**
 * Withdraws a draft. The mark stays, so a put that arrives after its sender stopped waiting finds the draft finished.
 * @returns the outcome that the draft already had; undefined if it was not committed and now never will be
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

/** The time until which this process expects concurrent creates in a collection, in epoch milliseconds. */
const expectedUntil = new CollectionMap<number>();

/** Longer than the gaps between the creates of many clients, so that they keep using the queue. A single client still leaves it soon. */
const expectedMs = 1000;

/** If this many drafts are committed together, more creates are expected. */
export const contendedMin = 3;

/** Notes that others are creating in a collection right now. This process then uses the queue without losing a race first. */
export function noteContention(ref: CollectionRef): void {
  expectedUntil.set(ref, Date.now() + expectedMs);
  noteOtherWriters(ref);
}

export const isContended = (ref: CollectionRef): boolean => (expectedUntil.get(ref) ?? 0) > Date.now();

/** The time until which this process expects occasional creates of others in a collection, in epoch milliseconds. */
const othersUntil = new CollectionMap<number>();

/** Longer than the gaps between the creates of a client that writes now and then, which are seconds. */
const othersMs = 60_000;

/** Notes that the counter that this process remembers is out of date, or soon will be. */
export const noteOtherWriters = (ref: CollectionRef): void => othersUntil.set(ref, Date.now() + othersMs);

/** Returns whether to read the counter rather than trust the remembered one. A lost transaction takes four times as long as a read. */
export const hasOtherWriters = (ref: CollectionRef): boolean => (othersUntil.get(ref) ?? 0) > Date.now();

const checkedAt = new CollectionMap<number>();
const checkEveryMs = 250;

/** A draft that has waited no longer than this is being committed. */
const usualWaitMs = 100;

/** A create waits for this check, which only helps others, so the check must be short. */
const checkMaxMs = 100;

/**
 * Checks now and then whether drafts wait in the queue. Without this check, a process that wins every race would never learn that others are waiting.
 * Errors are ignored.
 */
export async function checkQueue(ref: CollectionRef): Promise<void> {
  const now = Date.now();
  if (now - (checkedAt.get(ref) ?? 0) < checkEveryMs) return;
  checkedAt.set(ref, now);
  const oldest = await oldestTicket(ref, AbortSignal.timeout(checkMaxMs)).catch(() => undefined);
  if (oldest !== undefined && ageOf(oldest) > usualWaitMs) noteContention(ref);
}
