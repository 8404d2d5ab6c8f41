import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '../../../functions/contacts/eraseContact.ts';
import { byProduct } from '../../../lib/records/origin.ts';
import { upsertMany } from '../../../lib/records/upsert/upsert.ts';
import { blankContact } from '../../../lib/resources/contacts/fields.ts';
import { getContact, updateContact } from '../../../lib/resources/contacts/operations.ts';
import { contacts } from '../../../lib/resources/contacts/record.ts';
import { canaryContact, itemsWith } from '../../support/data/canaries.ts';
import { givenAccount, givenKey } from '../../support/data/given.ts';
import { call } from '../../support/http/api.ts';
import { lambdaContext } from '../../support/http/events.ts';
import { asFunction } from '../../support/permissions/asFunction.ts';
import { withLog } from '../../support/run/logLines.ts';

const eraseContact = asFunction('eraseContact', handler);
const erase = (input: unknown) => eraseContact(input, lambdaContext());

let account: string;
let key: string;
beforeEach(async () => {
  account = givenAccount();
  key = (await givenKey(account)).text;
});

/** A contact that the product has stated and a client has changed. */
async function givenStated(sourceId: string): Promise<{ id: string; canary: string }> {
  const canary = `${sourceId}-${account}`;
  const [stated] = await upsertMany(contacts, account, [
    {
      content: { ...blankContact, ...canaryContact(canary) },
      statedAt: null,
      origin: byProduct,
      source: { id: sourceId },
    },
  ]);
  if (stated?.kind !== 'created') throw new Error('The contact was not stated');
  const { id } = stated.record;
  await call(updateContact, { key, params: { contactId: id }, body: { note: `${canary} again` } });
  return { id, canary };
}

describe.each([
  ['source_id', (source_id: string, _: string) => ({ source_id })],
  ['id', (_: string, id: string) => ({ id })],
])('a contact that is named by its %s', (_, nameOf) => {
  test('is blank in every table, and the answer says what was done, also when it is asked for again', async () => {
    const { id, canary } = await givenStated('user-17');
    const other = await givenStated('user-18');
    const input = { account, ...nameOf('user-17', id) };
    const first = await erase(input);
    expect(first).toEqual({
      account,
      id,
      version: 3,
      erased_at: expect.stringMatching(/Z$/),
      repeated: false,
      external_id: true,
      kept_answer: false,
      events: 0,
      deliveries: 0,
    });
    expect(await itemsWith(canary)).toEqual([]);
    expect(await erase(input)).toEqual({ ...first, repeated: true, external_id: false });
    const { body } = await call(getContact, { key, params: { contactId: other.id } });
    expect(body.note).toBe(`${other.canary} again`);
  });
});

test.each([
  [{ account: 'a#b', id: 'con_1' }, /^account must be an account.*; id must be an id of the form con_/],
  [{ source_id: 'user-17' }, /^account is required/],
  [{}, /^one of source_id and id must be given, and not both$/],
  [{ source_id: '' }, /^source_id must be an id of 1 to 255 visible characters/],
  [{ external_id: 'crm-1' }, /^external_id is not known here \(allowed: account, source_id, id\)/],
  [{ source_id: 'user-0' }, /^No contact has the source_id "user-0" in the account test-/],
  [{ id: `con_${'0'.repeat(24)}` }, /^No contact has the id "con_0+" in the account test-/],
  [null, /^must be a JSON object$/],
])('%j is refused, and the error says what is allowed', async (sent, message) => {
  const input =
    sent === null || Object.hasOwn(sent, 'account') || message.source.includes('required')
      ? sent
      : { account, ...sent };
  await expect(erase(input)).rejects.toMatchObject({
    name: 'InputError',
    message: expect.stringMatching(message),
  });
});

test('its line in the log names nobody', async () => {
  const { canary } = await givenStated('user-17');
  const { lines } = await withLog(() => erase({ account, source_id: 'user-17' }));
  expect(lines.at(-1)).toMatchObject({ operation: 'eraseContact', outcome: 'succeeded' });
  expect(JSON.stringify(lines)).not.toMatch(new RegExp(`user-17|${canary}`));
});
