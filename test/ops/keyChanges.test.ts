import { expect, test } from 'vitest';
import { save } from '../../infra/ops/keys/keyChanges.ts';
import { changed } from '../../lib/keys/key.ts';
import { saveKey } from '../../lib/keys/store.ts';
import { givenAccount, givenKey } from '../support/data/given.ts';

test('who comes second with a change is told so, and the gateway keeps what it knows', async () => {
  const { key } = await givenKey(givenAccount());
  await saveKey(changed(key, { name: 'First' }), key);
  let flushed = 0;
  const flushAuthorizers = async () => ++flushed > 0;
  const connection = { flushAuthorizers, authorizerMs: 0 };
  const second = changed(key, { name: 'Second' });
  await expect(save(second, key, connection, { taken: false })).rejects.toMatchObject({
    name: 'OpsError',
    message: `Somebody else has just changed the key ${key.id}. Look at it and try again.`,
  });
  expect(flushed).toBe(0);
});
