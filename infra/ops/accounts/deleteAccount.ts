import { setTimeout as sleep } from 'node:timers/promises';
import { deleteMany, untilDone } from '../../../lib/dynamodb/manyItems.ts';
import { env, required } from '../../../lib/env.ts';
import type { Connection } from '../connection.ts';
import { flush } from '../keys/flush.ts';
import { scan } from '../scan.ts';
import { ownedBy } from './ownedItems.ts';

/**
 * Deletes all items of an account in all tables. Work in progress may write some again, so it repeats the search `lateMs` after it has found
 * something, until it finds nothing. You can run it again at any time.
 */
export async function deleteAccount(
  account: string,
  connection: Pick<Connection, 'flushAuthorizers' | 'authorizerMs' | 'lateMs'>,
  stopped: AbortSignal,
): Promise<{ items: number; flushed: boolean; complete: boolean }> {
  const deletion = { items: 0, flushed: true, complete: false };
  while (!deletion.complete && !stopped.aborted) {
    let found = 0;
    for (const { variable, filter } of ownedBy(account)) {
      const table = required(variable);
      const count = await deleteFound(table, filter, stopped);
      found += count;
      // Even if there was none, because an earlier run that was killed may have deleted it.
      if (variable === env.keysTable)
        deletion.flushed = (await flush(connection, { taken: true })) && deletion.flushed;
    }
    deletion.items += found;
    // The last search must find nothing.
    deletion.complete = found === 0 && !stopped.aborted;
    if (found > 0) await sleep(connection.lateMs);
  }
  return deletion;
}

/** @returns how many items were found */
async function deleteFound(table: string, filter: object, stopped: AbortSignal): Promise<number> {
  let count = 0;
  const reading = {
    table,
    filter: { ...filter, ConsistentRead: true },
    onRead: () => {},
    stopped,
  };
  // A deletion that has begun runs to its end.
  const never = new AbortController().signal;
  await scan(reading, async (items) => {
    // The Keys table has no sort key.
    const keys = items.map(
      ({ pk, sk }): Record<string, string> =>
        sk === undefined ? { pk: String(pk) } : { pk: String(pk), sk: String(sk) },
    );
    await untilDone(keys, (rest) => deleteMany(table, rest, never));
    count += items.length;
  });
  return count;
}
