import { expect, test } from 'vitest';
import { deleteById } from '../../../lib/records/deletion/deleteRecord.ts';
import { byKey } from '../../../lib/records/recordOrigin.ts';
import { assertRefs, withoutUnknownRefs } from '../../../lib/records/refs.ts';
import { RefusedEntry } from '../../../lib/schemas/batch.ts';
import { aContact, givenAccount, givenContacts, inAnHour } from '../../support/data/given.ts';

const shaped = {
  prefix: 'tkt',
  fields: {
    contact_id: { is: 'ref', to: 'con' },
    requester: { is: 'group', of: { contact_id: { is: 'ref', to: 'con' } } },
    others: { is: 'list', max: 9, of: { contact_id: { is: 'ref', to: 'con' } } },
  },
} as const;

test('a client may name records that its account has or had; one of another account is refused as an unknown one is', async () => {
  const [account, other] = [givenAccount(), givenAccount()];
  const [own, deleted] = (await givenContacts(account, [aContact(), aContact()])).map(({ id }) => id) as [
    string,
    string,
  ];
  const [foreign] = (await givenContacts(other, [aContact()])).map(({ id }) => id) as [string];
  await deleteById({ account, type: 'contact' }, deleted, {
    ...{ origin: byKey('key_1'), deadline: inAnHour(), permit: () => {} },
  });
  const unknown = `con_${'0'.repeat(24)}`;
  const rule = 'must be the id of one of the contacts of this account';
  await assertRefs(shaped, account, {
    ...{ contact_id: own, requester: { contact_id: deleted }, others: [{ contact_id: null }] },
  });
  await assertRefs(shaped, account, { contact_id: null, requester: null });
  for (const id of [foreign, unknown, `${own.slice(0, -1)}0`])
    await expect(
      assertRefs(shaped, account, {
        ...{
          contact_id: id,
          requester: { contact_id: id },
          others: [{ contact_id: own }, { contact_id: id }],
        },
      }),
    ).rejects.toMatchObject({
      status: 400,
      message: [`contact_id ${rule}`, `requester.contact_id ${rule}`, `others[1].contact_id ${rule}`].join(
        '; ',
      ),
    });
  const entries = [
    { contact_id: own },
    { contact_id: foreign, external_id: 'x' },
    new RefusedEntry({}, ['no']),
  ];
  const [first, second, third] = await withoutUnknownRefs(shaped, account, entries);
  expect([first, third]).toEqual([entries[0], entries[2]]);
  expect(second).toEqual(new RefusedEntry({ external_id: 'x' }, [`contact_id ${rule}`]));
});
