import { randomBytes } from 'node:crypto';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { deleteMany } from '../../dynamodb/batch.ts';
import { dynamodb } from '../../dynamodb/client.ts';
import { pause } from '../../dynamodb/conflicts.ts';
import { absent, is } from '../../dynamodb/expressions.ts';
import { records } from '../../dynamodb/tables.ts';
import { transactionBytesMax, writePut } from '../../dynamodb/transact.ts';
import { base32 } from '../../ids.ts';
import { describeError, log } from '../../logs/log.ts';
import type { Stored } from '../../resources/collection.ts';
import { type CollectionRef, queuePartitions, ticketKey } from '../keys.ts';
import { bytesOf, type Draft } from './draft.ts';

// The commit queue of a collection: the drafts that wait for a leader (leader.ts), and the bulks that wait to lead. Each is an item
// of its own, which no other process writes.

type Item = Record<string, unknown>;

/** What waits in the queue. */
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

/** How long something has waited, in milliseconds. */
export const ageOf = (ticket: string): number => Date.now() - Number(ticket.split('-')[0]);

/** How long DynamoDB keeps the items that a crash leaves behind. A deadline is a few seconds away. */
const keptSeconds = 3600;

export const timeToLive = (): number => Math.ceil(Date.now() / 1000) + keptSeconds;

/**
 * Puts an item that is new. When the answer is lost, the SDK repeats the put, and the item may have been removed meanwhile: then it is
 * there again, and the outcome of its draft says that it is finished.
 */
export async function enqueue<R extends Stored>(ref: CollectionRef, queued: Queued<R>): Promise<void> {
  const { ticket, ...content } = queued;
  const item = { ...ticketKey(ref, ticket), ...content, ttl: timeToLive() };
  await writePut(records.put(item, { if: { pk: absent } }));
}

/** How many items of a partition are read at most: more than two transactions can carry. */
const frontMax = 100;

/** What is older than this is past any deadline. */
const horizonMs = 30_000;

/** What waits and is not past its deadline, oldest first, up to what fills a transaction. */
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
export async function oldestTicket(
  ref: CollectionRef,
  abortSignal: AbortSignal,
): Promise<string | undefined> {
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
  let ExclusiveStartKey: Item | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await dynamodb().send(
      new QueryCommand({
        ...records.where(
          { pk: partition, sk: is('>', timeKey(now - horizonMs)) },
          { deadline: is('>', now) },
        ),
        ConsistentRead: true,
        // It also counts the items that the filter leaves out.
        Limit: pageSize,
        ExclusiveStartKey,
        ...query,
      }),
      abortSignal ? { abortSignal } : {},
    );
    yield* Items;
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
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
  let rest: Record<string, string>[] = tickets.map((ticket) => ticketKey(ref, ticket));
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
