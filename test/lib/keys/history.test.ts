import { expect, test } from 'vitest';
import type { ApiKey } from '../../../lib/keys/key.ts';
import { keyHistory } from '../../../lib/keys/keyHistory.ts';
import { givenAccount, givenKey } from '../../support/data/given.ts';

/** What is missing of a key that was created so long ago. */
const missingOf = async (key: ApiKey, ago = 0) =>
  (await keyHistory({ ...key, createdAt: new Date(Date.now() - ago).toISOString() })).missing;

test('a revision without an entry is missing, in the middle and at the end', async () => {
  const { key } = await givenKey(givenAccount());
  const past = { ...key, revision: 4 };
  expect(await missingOf(past)).toBe(3);
});
