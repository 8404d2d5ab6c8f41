import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { deleteMany } from '../../dynamodb/batch.ts';
import { dynamodb } from '../../dynamodb/client.ts';
import { env, required } from '../../env.ts';
import { describeError, log } from '../../log.ts';
import { type Place, queuePartition, ticketKey } from '../keys.ts';

// The tickets of those who wait in the waiting room of a collection: waitingRoom.ts explains it.

type Item = Record<string, unknown>;

const timeKey = (time: number): string => String(time).padStart(15, '0');

/** A ticket begins with the time of its making, so tickets sort by that. */
export const newTicket = (seed: string): string => `${timeKey(Date.now())}-${seed}`;

/** As much of the queue as anybody has to know: more than two transactions can carry. */
export const frontMax = 100;

/** Who came earlier than this is past any deadline. */
const horizonMs = 30_000;

/** The tickets at the front of the queue that are not past their deadline, first come first. */
export async function readQueue(place: Place, abortSignal?: AbortSignal): Promise<string[]> {
  const now = Date.now();
  const tickets: string[] = [];
  let ExclusiveStartKey: Item | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await dynamodb().send(
      new QueryCommand({
        TableName: required(env.recordsTable),
        KeyConditionExpression: 'pk = :queue AND sk > :horizon',
        // Beside the limit, which counts what the filter leaves out too: so go on until there are enough.
        FilterExpression: 'deadline > :now',
        ExpressionAttributeValues: {
          ':queue': queuePartition(place),
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

/** Removes tickets whose drafts are settled, so that they hide nobody who waits. */
export const removeTickets = (place: Place, tickets: readonly string[]): Promise<void> =>
  tidy(tickets.map((ticket) => ticketKey(place, ticket)));

/** Who tidies up has done what was asked for, and a client waits to be told. */
const tidyMaxMs = 500;

/** Removes what nobody needs any more. What cannot be removed now is removed by its time to live. */
export async function tidy(keys: { pk: string; sk: string }[]): Promise<void> {
  await deleteMany(required(env.recordsTable), keys, AbortSignal.timeout(tidyMaxMs)).catch((error) =>
    log.warn('something stays behind in the waiting room', { error: describeError(error) }),
  );
}
