import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { untilCommitted, writeIf } from '../../../lib/dynamodb/conflicts.ts';
import { countKey } from '../../../lib/webhooks/model/keys.ts';
import { readSubscriptions } from '../../../lib/webhooks/model/readSubscriptions.ts';

const patienceMs = 30_000;

/**
 * Sets the count of an account's subscriptions to their real number. When a subscription is created or deleted
 * meanwhile, the count has changed, and they are counted again.
 */
export async function recount(TableName: string, account: string): Promise<void> {
  await untilCommitted(Date.now() + patienceMs, async () => {
    // The order matters: a subscription that is created after the first read is then counted, or changes the count.
    const counted = await readCount(TableName, account);
    const { length } = await readSubscriptions(account);
    if (counted === length) return { counted };
    const refused = await writeIf(() => dynamodb().send(setCount(TableName, account, counted, length)));
    return refused ? undefined : { counted };
  });
}

async function readCount(TableName: string, account: string): Promise<unknown> {
  const { pk, sk } = countKey(account);
  const { Items = [] } = await dynamodb().send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :pk AND sk = :sk',
      ExpressionAttributeValues: { ':pk': pk, ':sk': sk },
      ConsistentRead: true,
    }),
  );
  return Items[0]?.count;
}

const setCount = (TableName: string, account: string, counted: unknown, length: number) =>
  new UpdateCommand({
    TableName,
    Key: countKey(account),
    UpdateExpression: 'SET #count = :length',
    ConditionExpression: counted === undefined ? 'attribute_not_exists(#count)' : '#count = :counted',
    ExpressionAttributeNames: { '#count': 'count' },
    ExpressionAttributeValues: {
      ':length': length,
      ...(counted === undefined ? {} : { ':counted': counted }),
    },
  });
