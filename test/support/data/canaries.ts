import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { env, required } from '../../../lib/env.ts';
import { upsertContact } from '../../../lib/resources/contacts.ts';
import { aMarkedRecord } from './records.ts';

/** A contact with a canary in every text that may be any. What they begin with is in none of the other data. */
export const canaryContact = (canary: string) =>
  upsertContact.body().parse({ ...aMarkedRecord('contact', canary), external_id: `${canary}-external` });

/** The keys of all items of all tables that contain a text. */
export async function itemsWith(text: string): Promise<string[]> {
  const tables = [env.keysTable, env.recordsTable, env.indexTable, env.webhooksTable, env.usageTable].map(
    required,
  );
  const found = await Promise.all(tables.map((table) => itemsOf(table, text)));
  return found.flat();
}

async function itemsOf(TableName: string, text: string): Promise<string[]> {
  const found: string[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await dynamodb().send(
      new ScanCommand({ TableName, ConsistentRead: true, ExclusiveStartKey }),
    );
    for (const item of page.Items ?? [])
      if (JSON.stringify(item).includes(text)) found.push(`${item.pk} ${item.sk ?? ''}`);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return found;
}
