import { expect, test } from 'vitest';
import { keyHistory } from '../../../lib/keys/history.ts';
import { type ApiKey, changed, issue } from '../../../lib/keys/key.ts';
import { saveKey } from '../../../lib/keys/store.ts';
import { aTester, givenAccount, givenKey } from '../../support/data/given.ts';

/** What is missing of a key that was created so long ago. */
const missingOf = async (key: ApiKey, ago = 0) =>
  (await keyHistory({ ...key, createdAt: new Date(Date.now() - ago).toISOString() })).missing;

test('a revision without an entry is missing, in the middle and at the end', async () => {
  const { key } = await givenKey(givenAccount());
  const past = { ...key, revision: 4 };
  expect(await missingOf(past)).toBe(3);
});

test('changes before the Activity table are not missing, also after the first recorded one', async () => {
  const { key } = issue(
    { accountId: givenAccount(), name: 'Older', access: { kind: 'full' } },
    'live',
    new Date(),
  );
  const older = { ...key, revision: 5 };
  expect(await missingOf(older)).toBe(0);
  const { recordedFrom: _, ...unknown } = await saveKey(older, undefined, aTester);
  const next = await saveKey(changed(unknown, { name: 'Changed' }), unknown, aTester);
  expect(next.recordedFrom).toBe(6);
  expect(await missingOf(next)).toBe(0);
  expect(await missingOf({ ...next, revision: 7 })).toBe(1);
});
