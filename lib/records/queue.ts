import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../dynamodb.ts';
import { env, required } from '../env.ts';
import { readMany } from './batch.ts';
import type { Stored } from './collection.ts';
import type { Draft } from './draft.ts';
import { draftKey, type Place, roomPartition } from './keys.ts';

// What stands in the waiting room of a collection, for those who wait in it. room.ts explains it.

/** What became of a draft. It is `taken` when its external id belongs to another record. */
export type Fate = { kind: 'waiting' } | { kind: 'placed'; position: number } | { kind: 'taken'; by: string };

export interface Ticket {
  id: string;
  /** Epoch milliseconds: later than this the draft's client has been told that it failed, so it must not be placed. */
  deadline: number;
  fate: Fate;
}

/** A draft with the ticket to mark when it is placed. */
export interface Waiting<R extends Stored> {
  ticket: string;
  draft: Draft<R>;
}

/** How a ticket begins: tickets sort by the time of entering. Epoch milliseconds. */
export const timeKey = (time: number): string => String(time).padStart(15, '0');

/** More than one transaction can carry, with room for those who are placed and about to leave. */
export const frontMax = 100;

/** Who entered earlier than this is long past any deadline: what a crash left behind never stands in the way. */
const horizonMs = 60_000;

/** The front of the queue, the longest waiting first. */
export async function readQueue(place: Place): Promise<Ticket[]> {
  const { Items = [] } = await dynamodb().send(
    new QueryCommand({
      TableName: required(env.recordsTable),
      KeyConditionExpression: 'pk = :room AND sk > :horizon',
      ExpressionAttributeValues: {
        ':room': roomPartition(place),
        ':horizon': timeKey(Date.now() - horizonMs),
      },
      ConsistentRead: true,
      Limit: frontMax,
    }),
  );
  return Items.map((item) => ({
    id: item.sk as string,
    deadline: item.deadline as number,
    fate: fateOf(item),
  }));
}

export function fateOf(item: Record<string, unknown>): Fate {
  if (item.placed_at !== undefined) return { kind: 'placed', position: item.placed_at as number };
  if (item.taken_by !== undefined) return { kind: 'taken', by: item.taken_by as string };
  return { kind: 'waiting' };
}

/** The drafts of these tickets, at most 100, in their order. One that is not there yet, or no more, is left out. */
export async function readDrafts<R extends Stored>(
  place: Place,
  tickets: readonly string[],
): Promise<Waiting<R>[]> {
  const items = await readMany(tickets.map((ticket) => draftKey(place, ticket)));
  const drafts = new Map(items.map((item) => [item.pk as string, item.draft as Draft<R>]));
  return tickets.flatMap((ticket) => {
    const draft = drafts.get(draftKey(place, ticket).pk);
    return draft ? [{ ticket, draft }] : [];
  });
}
