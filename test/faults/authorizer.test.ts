import { expect, test } from 'vitest';
import { handler as authorizer } from '../../functions/authorizer.ts';
import { newKey } from '../../lib/keys/format.ts';
import { givenAccount, givenKey } from '../support/data/given.ts';
import { inPool } from '../support/data/pool.ts';
import { faultsOf, useFaultyDatabase } from '../support/faults/faults.ts';
import { authorizerEvent } from '../support/http/events.ts';
import { asFunction } from '../support/permissions/asFunction.ts';

const handler = asFunction('authorizer', authorizer);

const database = useFaultyDatabase();

const ask = (key: string) => handler(authorizerEvent({ 'X-Api-Key': [key] }));

test('with any fault of a call, a valid key is never refused as invalid, and an invalid key is never accepted', async () => {
  const { calls } = await database.run(async () => ask((await givenKey(givenAccount())).text));
  const faults = faultsOf(calls);
  await inPool(12, faults, async (fault) => {
    const { text } = await givenKey(givenAccount(), ['orders:read']);
    // A client throws its key away when it reads 401, which is what exactly this message becomes.
    const answer = database.runUntilKilled(() => ask(text), fault);
    await answer.then(
      (response) => response && expect(response.context).toMatchObject({ scopes: 'orders:read' }),
      (error: Error) => expect(error.message, fault.name).not.toBe('Unauthorized'),
    );
    await expect(ask(text)).resolves.toMatchObject({ context: { scopes: 'orders:read' } });
    const letIn = await database.runUntilKilled(() => ask(newKey('test')), fault).catch(() => undefined);
    expect(letIn, fault.name).toBeUndefined();
  });
});
