import { readFileSync } from 'node:fs';
import { grantOf } from '../../../lib/keys/access.ts';
import { assertNotRevoked, KeyEndedError, rotateSecret } from '../../../lib/keys/changes.ts';
import { type Environment, keysIn } from '../../../lib/keys/format.ts';
import { type IssuedKey, type Key, revoked, TooManySecretsError } from '../../../lib/keys/key.ts';
import { findSecret, KeyChangedError, readKey, saveKey } from '../../../lib/keys/store.ts';
import { OpsError } from '../../terminal/opsError.ts';
import { shownArgument } from '../../terminal/secretArguments.ts';
import { type Connection, connect, type Target } from '../connection.ts';
import { flush } from './flush.ts';

/** Connects to the system, and runs with the named key. */
export async function withKey(
  id: string,
  target: Target,
  run: (key: Key, connection: Connection) => Promise<void>,
) {
  if (!/^key_[0-9a-z]{1,64}$/.test(id))
    throw new OpsError(`"${shownArgument(id)}" is not a key id: those begin with key_.`);
  const connection = await connect(target);
  const key = await readKey(id);
  if (!key) throw new OpsError(`There is no key ${id}.`);
  await run(key, connection);
}

export function assertLive(key: Key): void {
  try {
    assertNotRevoked(key);
  } catch (error) {
    throw error instanceof KeyEndedError ? new OpsError(error.message) : error;
  }
}

/**
 * Saves a change and flushes the gateway's cache, so that the change counts from the next request on.
 * @param taken whether the change takes access away
 * @returns whether the cache was flushed
 */
export async function save(
  key: Key,
  previous: Key,
  connection: Pick<Connection, 'flushAuthorizers' | 'authorizerMs' | 'operator'>,
  { taken }: { taken: boolean },
): Promise<boolean> {
  await saveKey(key, previous, await connection.operator()).catch((error) => {
    if (!(error instanceof KeyChangedError)) throw error;
    throw new OpsError(`Somebody else has just changed the key ${key.id}. Look at it and try again.`);
  });
  return flush(connection, { taken });
}

/** @throws OpsError when the key has expired, or has as many secrets as it may have */
export async function withNewSecret(
  key: Key,
  environment: Environment,
  overlapMs: number,
): Promise<IssuedKey> {
  try {
    return await rotateSecret(key, environment, overlapMs, new Date());
  } catch (error) {
    if (error instanceof KeyEndedError)
      throw new OpsError(`${error.message} Set a later end first: update ${key.id} --expires 90d`);
    if (!(error instanceof TooManySecretsError)) throw error;
    throw new OpsError(
      `${error.message}, and may not have more. Wait until one of them has expired, or end them all with --overlap 0.`,
    );
  }
}

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
