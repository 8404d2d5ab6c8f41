import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from './client.ts';
import type { Item } from './item.ts';

/** Yields the items of a query in order, one page at a time. DynamoDB ends a page at 1 MB, or at `Limit`. */
export async function* queryPages<Found = Item>(
  input: Omit<QueryCommandInput, 'ExclusiveStartKey'>,
  options?: { abortSignal?: AbortSignal },
): AsyncGenerator<Found[]> {
  let ExclusiveStartKey: Item | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await dynamodb().send(
      new QueryCommand({ ...input, ExclusiveStartKey }),
      options,
    );
    yield Items as Found[];
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
}

export async function queryAll<Found = Item>(input: Parameters<typeof queryPages>[0]): Promise<Found[]> {
  const items: Found[] = [];
  for await (const page of queryPages<Found>(input)) items.push(...page);
  return items;
}
