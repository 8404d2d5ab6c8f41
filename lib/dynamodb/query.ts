import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from './client.ts';

type Item = Record<string, unknown>;

/** The items of a query, in order, answer by answer. DynamoDB cuts an answer at 1 MB, or at `Limit`. */
export async function* queryPages(
  input: Omit<QueryCommandInput, 'ExclusiveStartKey'>,
): AsyncGenerator<Item[]> {
  let ExclusiveStartKey: Item | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await dynamodb().send(
      new QueryCommand({ ...input, ExclusiveStartKey }),
    );
    yield Items;
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
}

export async function queryAll(input: Parameters<typeof queryPages>[0]): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of queryPages(input)) items.push(...page);
  return items;
}
