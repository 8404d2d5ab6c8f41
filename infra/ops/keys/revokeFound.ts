import { readFileSync } from 'node:fs';
import { grantOf } from '../../../lib/keys/access.ts';
import { keysIn } from '../../../lib/keys/format.ts';
import { type Key, revoked } from '../../../lib/keys/key.ts';
import { findSecret, readKey, saveKey } from '../../../lib/keys/store.ts';
import { OpsError } from '../../terminal/opsError.ts';
import type { Connection } from '../connection.ts';

/** Reads the texts of a file that may be keys: the report of a secret scanner, a log or a list. */
export function keysInFile(file: string): string[] {
  try {
    return keysIn(readFileSync(file === '-' ? process.stdin.fd : file, 'utf8'));
  } catch (error) {
    throw new OpsError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/**
 * Revokes the keys whose secrets still work. A key that cannot be revoked keeps no other one alive: it is reported, and a second run
 * tries it again.
 * @param texts secrets; those of other systems are passed over, and so are those that have ended
 */
export async function revokeFound(texts: readonly string[], connection: Connection): Promise<Key[]> {
  const who = await connection.operator();
  const keys: Key[] = [];
  for (const text of texts)
    try {
      const secret = await findSecret(text);
      if (!secret || !grantOf(secret, new Date())) continue;
      const key = await readKey(String(secret.key_id));
      if (!key) throw new Error(`there is no key ${secret.key_id}`);
      keys.push(await saveKey(revoked(key, new Date()), key, who));
    } catch (error) {
      console.error(`A key was not revoked: ${(error as Error).message}`);
      process.exitCode = 1;
    }
  return keys;
}
