import { expect, test } from 'vitest';
import { handler } from '../../functions/deleteRecord.ts';
import { aContact, givenAccount, givenContacts } from '../support/data/given.ts';
import { lambdaContext } from '../support/http/events.ts';
import { asFunction } from '../support/permissions/asFunction.ts';
import { withLog } from '../support/run/logLines.ts';

const deleteRecord = asFunction('deleteRecord', handler);

test('the product deletes a record, the answer says what became of it, and the log names nobody', async () => {
  const account = givenAccount();
  const [one] = await givenContacts(account, [aContact({ external_id: 'canary' })]);
  const input = { account, resource: 'contacts', deleted: { external_id: 'canary' } };
  const { result, text } = await withLog(() => deleteRecord(input, lambdaContext()));
  expect(result).toEqual({
    result: 'deleted',
    id: one?.id,
    version: 2,
    deleted_at: expect.stringMatching(/Z$/),
    merged_into: null,
  });
  expect(text).not.toContain('canary');
  expect(await deleteRecord(input, lambdaContext())).toMatchObject({ result: 'unchanged' });
});

test('the product merges a record into another one, which is named in the answer', async () => {
  const account = givenAccount();
  const [one, other] = await givenContacts(account, [aContact({ external_id: 'one' }), aContact()]);
  const deleted = { external_id: 'one', merged_into: { id: other?.id } };
  const answer = await deleteRecord({ account, resource: 'contacts', deleted }, lambdaContext());
  expect(answer).toMatchObject({ result: 'deleted', id: one?.id, merged_into: other?.id });
});

test.each([
  [{}, /^resource must be one of contacts, orders/],
  [
    { account: 'acme', resource: 'contacts', deleted: {} },
    /^deleted\.source_id is required, unless there is/,
  ],
  [
    { account: 'acme', resource: 'contacts', deleted: { id: `con_${'0'.repeat(24)}` } },
    /^No contact has this id in the account acme$/,
  ],
])('%j is refused, and the error says what is allowed', async (input, message) => {
  await expect(deleteRecord(input, lambdaContext())).rejects.toMatchObject({
    name: 'InputError',
    message: expect.stringMatching(message),
  });
});
