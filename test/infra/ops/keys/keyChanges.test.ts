import { expect, test } from 'vitest';
import { save } from '../../../../infra/ops/keys/keyActions.ts';
import { changed } from '../../../../lib/keys/key.ts';
import { saveKey } from '../../../../lib/keys/storedKeys.ts';
import { aTester, givenAccount, givenKey } from '../../../support/data/given.ts';

test('the second of two changes at the same time is refused, and the cache of the gateway is not flushed', async () => {
  const { key } = await givenKey(givenAccount());
  await saveKey(changed(key, { name: 'First' }), key, aTester);
  let flushed = 0;
  const flushAuthorizers = async () => ++flushed > 0;
  const connection = { flushAuthorizers, authorizerMs: 0, operator: async () => aTester };
  const second = changed(key, { name: 'Second' });
  await expect(save(second, key, connection, { taken: false })).rejects.toMatchObject({
    name: 'OpsError',
    message: `Somebody else has just changed the key ${key.id}. Look at it and try again.`,
  });
  expect(flushed).toBe(0);
});
