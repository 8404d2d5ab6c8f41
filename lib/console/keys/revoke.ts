import type { ConsoleKey } from '../../contract/console/keys.ts';
import { revoked } from '../../keys/key.ts';
import { saveKey } from '../../keys/store.ts';
import { type KeyRequest, untilSaved } from './commit.ts';
import { keyOfAccount } from './read.ts';
import { shownKey } from './view.ts';

/** Ends a key for good. It has no effect on one that was revoked before. @throws ApiError 404 when the account has no such key */
export async function revokeKey(id: string, { account, who, deadline }: KeyRequest): Promise<ConsoleKey> {
  const key = await untilSaved(deadline, async () => {
    const current = await keyOfAccount(account, id);
    return current.revokedAt === undefined ? saveKey(revoked(current, new Date()), current, who) : current;
  });
  return shownKey(key);
}
