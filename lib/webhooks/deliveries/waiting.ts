import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../dynamodb/client.ts';
import { env, required } from '../../env.ts';
import { webhooksTable } from '../table.ts';

/** What the index tells of something that waits: a delivery, which has an id, or an order to wake up, which has looks. */
export interface Waiting {
  pk: string;
  sk: string;
  waiting: string;
  ring_at: string;
  id?: string;
  /** Of a delivery that does not rest: the time at which its next attempt is due. */
  next_attempt_at?: string;
  looks?: number;
}

/** Sorts behind every time. */
const ever = '9';

/**
 * What waits in a partition of the index, in the order of its times, page by page.
 * @param until RFC 3339 UTC; everything when it is left out
 */
export async function* waitingIn(
  partition: string,
  { pageSize, until = ever }: { pageSize: number; until?: string },
): AsyncGenerator<Waiting[]> {
  let next: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await dynamodb().send(
      new QueryCommand({
        TableName: required(env.webhooksTable),
        IndexName: webhooksTable.waiting.name,
        KeyConditionExpression: 'waiting = :partition AND ring_at <= :until',
        ExpressionAttributeValues: { ':partition': partition, ':until': until },
        Limit: pageSize,
        ExclusiveStartKey: next,
      }),
    );
    yield Items as Waiting[];
    next = LastEvaluatedKey;
  } while (next);
}
