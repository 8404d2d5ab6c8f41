import { isDeepStrictEqual } from 'node:util';
import type { ConsoleKey, KeyPatch } from '../../contract/console/keys.ts';
import { changed, type Key } from '../../keys/key.ts';
import { assertNotRevoked } from '../../keys/rotate.ts';
import { saveKey } from '../../keys/store.ts';
import { tryToAskForFlush } from './askForFlush.ts';
import { type KeyRequest, untilSaved } from './commit.ts';
import { accessOf, assertAhead } from './create.ts';
import { asBadRequest } from './errors.ts';
import { keyOfAccount } from './read.ts';
import { shownKey } from './view.ts';

/**
 * Changes a key. A patch that changes nothing makes no new version.
 * @param ifMatch throws when the version is not the one that the client wants to change
 * @throws ApiError 400 when the key was revoked, or would have ended already, 404 when the account has no such key, 412
 */
export async function updateKey(
  id: string,
  patch: KeyPatch,
  { account, who, deadline, ifMatch }: KeyRequest & { ifMatch: (version: number) => void },
): Promise<ConsoleKey> {
  const key = await untilSaved(deadline, async () => {
    const current = await keyOfAccount(account, id);
    ifMatch(current.revision);
    const next = patched(current, patch);
    if (isDeepStrictEqual(next, { ...current, revision: next.revision })) return current;
    await asBadRequest(() => assertNotRevoked(current));
    return saveKey(next, current, who);
  });
  if (accessOf(patch) !== undefined || patch.expires_at !== undefined) await tryToAskForFlush();
  return shownKey(key);
}

function patched(key: Key, patch: KeyPatch): Key {
  const { name = key.name, expires_at } = patch;
  const next = changed(key, { name, access: accessOf(patch) ?? key.access });
  if (expires_at === null) delete next.expiresAt;
  else if (expires_at !== undefined && expires_at !== key.expiresAt) {
    assertAhead(expires_at, new Date());
    next.expiresAt = expires_at;
  }
  return next;
}
