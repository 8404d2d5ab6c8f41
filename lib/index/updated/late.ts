import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../dynamodb/client.ts';
import { writeIf } from '../../dynamodb/conflicts.ts';
import { queryAll } from '../../dynamodb/query.ts';
import { env, required } from '../../env.ts';
import type { CollectionRef } from '../../records/keys.ts';
import { bucketOf } from '../buckets.ts';
import { latePartition } from '../keys.ts';

// A list by `updated_since` finds a change when the index has it, usually within a second. `next_updated_since` leaves a minute for that.
// A change that comes later is noted before it comes, and a reader who has passed it by is sent back. So nobody has to know how late
// the stream, the queue of deferred items or a writer can be.

/** How long before a walk its `next_updated_since` is: longer than the three times below together. */
export const overlapMs = 60_000;

/** A change that is older when a function begins with it is noted. */
const lateAfterMs = 20_000;

/** How long after that a function may write it into the index: no function that does has a longer timeout. */
const writtenWithinMs = 30_000;

/** The difference between clocks, and how old a copy may be that a list reads. */
const toleranceMs = 5_000;

/** Longer than readers are likely to wait between two polls. */
const keptMs = 400 * 24 * 3_600_000;

/** Changes of a time from `from` on came into the index in this hour, until `until`; both RFC 3339 in UTC. */
interface Late {
  from: string;
  until?: string;
}

/**
 * Notes changes of a collection that come into the index late. It must be called before the index has them.
 * @param first the first time of the changes, RFC 3339
 */
export async function noteIfLate(ref: CollectionRef, first: string): Promise<void> {
  const now = Date.now();
  if (now - Date.parse(first) <= lateAfterMs) return;
  const until = new Date(now + writtenWithinMs + toleranceMs).toISOString();
  const hour = bucketOf('hour', until);
  // A reader must not see the first without the second.
  await extend(ref, hour, { attribute: 'until', to: until, unless: '>=' });
  await extend(ref, hour, { attribute: 'from', to: first, unless: '<=' });
}

interface Extension {
  attribute: keyof Late;
  to: string;
  unless: '<=' | '>=';
}

async function extend(ref: CollectionRef, hour: string, { attribute, to, unless }: Extension): Promise<void> {
  await writeIf(() =>
    dynamodb().send(
      new UpdateCommand({
        TableName: required(env.indexTable),
        Key: { pk: latePartition(ref), sk: hour },
        UpdateExpression: 'SET #it = :to, #ttl = :ttl',
        ConditionExpression: `attribute_not_exists(#it) OR NOT #it ${unless} :to`,
        ExpressionAttributeNames: { '#it': attribute, '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':to': to, ':ttl': Math.ceil((Date.now() + keptMs) / 1000) },
      }),
    ),
  );
}

/**
 * From when on a reader has to read again who reads what changed since a time: changes of before that time may have come after the walk
 * that the time is of. Strongly consistent.
 * @returns undefined when there are no such changes
 */
export async function lateFrom(ref: CollectionRef, since: string): Promise<string | undefined> {
  const items = await queryAll({
    TableName: required(env.indexTable),
    KeyConditionExpression: 'pk = :late AND sk >= :hour',
    ExpressionAttributeValues: { ':late': latePartition(ref), ':hour': bucketOf('hour', since) },
    ConsistentRead: true,
  });
  return items
    .map(({ from, until }) => ({ from, until }) as Late)
    .filter(({ from, until }) => from < since && until !== undefined && since <= until)
    .map(({ from }) => from)
    .sort()[0];
}
