import { readMany } from '../../../lib/dynamodb/batch.ts';
import { env, required } from '../../../lib/env.ts';
import { listKeys } from '../../../lib/keys/store.ts';
import { recordKey } from '../../../lib/records/keys.ts';
import { positionOf } from '../../../lib/records/position.ts';
import type { Collection, Stored } from '../../../lib/resources/collection.ts';

/** The account of a record, among all accounts that have a key; undefined when none of them has it. */
export async function ownerOf(
  { type, prefix }: Pick<Collection<Stored>, 'type' | 'prefix'>,
  id: string,
): Promise<string | undefined> {
  const position = positionOf(prefix, id);
  if (position === undefined) return undefined;
  const accounts = [...new Set((await listKeys()).map(({ accountId }) => accountId))];
  const keys = new Map(accounts.map((account) => [recordKey({ account, type }, position), account]));
  const items = await readMany(required(env.recordsTable), [...keys.keys()]);
  const found = items.find((item) => item.id === id);
  return [...keys].find(([{ pk }]) => pk === found?.pk)?.[1];
}
