import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { deleteMany } from '../../dynamodb/batch.ts';
import { dynamodb } from '../../dynamodb/client.ts';
import { env, required } from '../../env.ts';
import { describeError, log } from '../../log.ts';
import { type CollectionRef, queuePartition, ticketKey } from '../keys.ts';

// The commit queue of a collection: one ticket for each draft that waits, which queuedDrafts.ts explains, and for each bulk that
// waits for its turn (turn.ts).

type Item = Record<string, unknown>;

const timeKey = (time: number): string => String(time).padStart(15, '0');

/** A ticket begins with the time at which it was made, so tickets sort by time. */
export const newTicket = (seed: string): string => `${timeKey(Date.now())}-${seed}`;

/** How many tickets are read: more than two transactions can carry. */
export const frontMax = 100;

/** A ticket that is older than this is past any deadline. */
const horizonMs = 30_000;

/** The tickets at the front of the queue that are not past their deadline, oldest first. */
export async function readQueue(ref: CollectionRef, abortSignal?: AbortSignal): Promise<string[]> {
  const now = Date.now();
  const tickets: string[] = [];
  let ExclusiveStartKey: Item | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await dynamodb().send(
      new QueryCommand({
        TableName: required(env.recordsTable),
        KeyConditionExpression: 'pk = :queue AND sk > :horizon',
        // The limit also counts the items that the filter leaves out: so read on until there are enough.
        FilterExpression: 'deadline > :now',
        ExpressionAttributeValues: {
          ':queue': queuePartition(ref),
          ':horizon': timeKey(now - horizonMs),
          ':now': now,
        },
        ConsistentRead: true,
        Limit: frontMax,
        ExclusiveStartKey,
      }),
      abortSignal ? { abortSignal } : {},
    );
    tickets.push(...Items.map(({ sk }) => sk as string));
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey && tickets.length < frontMax);
  return tickets;
}

/** Removes the tickets of finished drafts, so that the front of the queue holds drafts that wait. */
export const removeTickets = (ref: CollectionRef, tickets: readonly string[]): Promise<void> =>
  removeItems(tickets.map((ticket) => ticketKey(ref, ticket)));

/** A client waits for its answer while its process removes items. */
const removalMaxMs = 500;

/** Removes items that nobody needs any more. Those that cannot be removed now are removed by their time to live. */
export async function removeItems(keys: { pk: string; sk: string }[]): Promise<void> {
  await deleteMany(required(env.recordsTable), keys, AbortSignal.timeout(removalMaxMs)).catch((error) =>
    log.warn('items stay behind in the commit queue', { error: describeError(error) }),
  );
}
