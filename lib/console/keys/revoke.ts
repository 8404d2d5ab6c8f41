import type { ConsoleKey } from '../../contract/console/keys.ts';
import { revoked } from '../../keys/key.ts';
import { saveKey } from '../../keys/store.ts';
import { askForFlush } from './askForFlush.ts';
import { type KeyRequest, untilSaved } from './commit.ts';
import { keyOfAccount } from './read.ts';
import { shownKey } from './view.ts';

/**
 * Ends a key for good, and asks for a flush of the authorizer's cache. A repetition has no effect on the key, and asks again: the
 * first time may have failed after the change.
 * @throws ApiError 404 when the account has no such key
 */
export async function revokeKey(id: string, { account, who, deadline }: KeyRequest): Promise<ConsoleKey> {
  const key = await untilSaved(deadline, async () => {
    const current = await keyOfAccount(account, id);
    return current.revokedAt === undefined ? saveKey(revoked(current, new Date()), current, who) : current;
  });
  await askForFlush();
  return shownKey(key);
}
