import type { Key } from '../../../lib/keys/key.ts';
import { knownUses } from '../../../lib/usage/keyUses.ts';

/** When keys were last used, by their ids. Keys that were never used are left out. */
export async function lastUses(keys: readonly Key[]): Promise<Map<string, string>> {
  const uses = await knownUses(keys);
  return new Map(
    [...uses].flatMap(([id, { lastUsedAt }]) =>
      lastUsedAt === undefined ? [] : [[id, lastUsedAt] as const],
    ),
  );
}

/** When a key was last used; undefined when it never was. */
export const lastUse = async (key: Key): Promise<string | undefined> => (await lastUses([key])).get(key.id);
