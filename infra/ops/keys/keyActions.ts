import { readFileSync } from 'node:fs';
import { keys } from '../../../lib/dynamodb/tables.ts';
import { grantOf } from '../../../lib/keys/access.ts';
import { keysIn } from '../../../lib/keys/format.ts';
import { type ApiKey, KeyRefusal, revoked } from '../../../lib/keys/key.ts';
import { keysTable } from '../../../lib/keys/keysTable.ts';
import { findSecret, KeyChangedError, readKey, saveKey, toKey } from '../../../lib/keys/storedKeys.ts';
import { OpsError } from '../../terminal/opsError.ts';
import { shownArgument } from '../../terminal/secretArguments.ts';
import { type Connection, connect, type Target } from '../connection.ts';
import { scan } from '../scan.ts';
import { flush } from './flush.ts';

/** Connects to the system, and runs with the named key. @throws OpsError, even if the key does not allow the action */
export async function withKey(
  id: string,
  target: Target,
  run: (key: ApiKey, connection: Connection) => Promise<void>,
) {
  if (!/^key_[0-9a-z]{1,64}$/.test(id))
    throw new OpsError(`"${shownArgument(id)}" is not a key id: those begin with key_.`);
  const connection = await connect(target);
  const key = await readKey(id);
  if (!key) throw new OpsError(`There is no key ${id}.`);
  await run(key, connection).catch((error) => {
    throw error instanceof KeyRefusal ? new OpsError(error.message) : error;
  });
}

/**
 * Saves a change, and flushes the gateway's cache, so that the change takes effect with the next request.
 * @param taken whether the change takes access away
 * @returns whether the cache was flushed
 */
export async function save(
  key: ApiKey,
  previous: ApiKey,
  connection: Pick<Connection, 'flushAuthorizers' | 'authorizerMs' | 'operator'>,
  { taken }: { taken: boolean },
): Promise<boolean> {
  await saveKey(key, previous, await connection.operator()).catch((error) => {
    if (!(error instanceof KeyChangedError)) throw error;
    throw new OpsError(`Somebody else has just changed the key ${key.id}. Look at it and try again.`);
  });
  return flush(connection, { taken });
}

/** Reads the keys of all accounts. */
export async function readAllKeys(): Promise<ApiKey[]> {
  const found: ApiKey[] = [];
  const { signal: stopped } = new AbortController();
  const reading = { table: keys.name, filter: { IndexName: keysTable.byAccount.name }, onRead() {}, stopped };
  await scan(reading, async (items) => {
    found.push(...items.filter(({ secrets }) => secrets).map(toKey));
  });
  return found.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
}

/** Reads the texts in a file that may be keys. The file may be a secret scanner's report, a log or a list. */
export function keysInFile(file: string): string[] {
  try {
    return keysIn(decoded(readFileSync(file === '-' ? process.stdin.fd : file)));
  } catch (error) {
    throw new OpsError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** Decodes a file in UTF-8, or in UTF-16, which PowerShell writes. In UTF-16, each ASCII letter has a null next to it. */
function decoded(bytes: Buffer): string {
  const start = bytes.subarray(0, 4);
  const isWide = (first: number, second: number, zeros: number) =>
    (start[0] === first && start[1] === second) || (start[zeros] === 0 && start[zeros + 2] === 0);
  const charset = isWide(0xff, 0xfe, 1) ? 'utf-16le' : isWide(0xfe, 0xff, 0) ? 'utf-16be' : 'utf-8';
  return new TextDecoder(charset).decode(bytes);
}

/** The outcome of a revocation: the revoked keys, and how many secrets were known here, and had already ended. */
interface Revocation {
  keys: ApiKey[];
  known: number;
  ended: number;
}

/**
 * Revokes the keys whose secrets still work. If a key cannot be revoked, the others are revoked nevertheless. It is reported, and a second run
 * tries it again.
 * @param texts secrets; those of other systems are skipped
 */
export async function revokeFound(texts: readonly string[], connection: Connection): Promise<Revocation> {
  const who = await connection.operator();
  const keys: ApiKey[] = [];
  let [known, ended] = [0, 0];
  for (const text of texts)
    try {
      const secret = await findSecret(text);
      if (!secret) continue;
      known += 1;
      if (!grantOf(secret, new Date())) {
        ended += 1;
        continue;
      }
      const key = await readKey(String(secret.key_id));
      if (!key) throw new Error(`there is no key ${secret.key_id}`);
      keys.push(await saveKey(revoked(key, new Date()), key, who));
    } catch (error) {
      console.error(`A key was not revoked: ${(error as Error).message}`);
      process.exitCode = 1;
    }
  return { keys, known, ended };
}
