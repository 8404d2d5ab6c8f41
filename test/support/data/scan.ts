import { paginateScan, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../../lib/dynamodb/client.ts';

export type ScannedItem = Record<string, unknown>;

/** All items of a table. */
export async function scan(
  TableName: string,
  more: Partial<ScanCommandInput> = { ConsistentRead: true },
): Promise<ScannedItem[]> {
  const items: ScannedItem[] = [];
  for await (const { Items = [] } of paginateScan({ client: dynamodb() }, { TableName, ...more }))
    items.push(...Items);
  return items;
}
