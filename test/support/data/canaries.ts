import { env, required } from '../../../lib/env.ts';
import { upsertContact } from '../../../lib/resources/contacts.ts';
import { aMarkedRecord } from './records.ts';
import { scan } from './scan.ts';

/** A contact with a canary in every text that may be any. What they begin with is in none of the other data. */
export const canaryContact = (canary: string) =>
  upsertContact.body().parse({ ...aMarkedRecord('contact', canary), external_id: `${canary}-external` });

/** The keys of all items of all tables that contain a text. */
export async function itemsWith(text: string): Promise<string[]> {
  const tables = [env.keysTable, env.recordsTable, env.indexTable, env.webhooksTable, env.usageTable].map(
    required,
  );
  const items = (await Promise.all(tables.map((table) => scan(table)))).flat();
  return items.filter((item) => JSON.stringify(item).includes(text)).map(({ pk, sk }) => `${pk} ${sk ?? ''}`);
}
