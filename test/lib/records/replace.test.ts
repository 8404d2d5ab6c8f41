import { afterEach, expect, test } from 'vitest';
import { getState } from '../../../lib/records/get.ts';
import type { State } from '../../../lib/records/recordItem.ts';
import { inAccount } from '../../../lib/records/recordKeys.ts';
import { byProduct } from '../../../lib/records/recordOrigin.ts';
import { replaceState, updateRecord } from '../../../lib/records/update.ts';
import { type Contact, contacts } from '../../../lib/resources/contacts.ts';
import { aContact, givenAccount, givenContacts, inAnHour } from '../../support/data/given.ts';
import { allContacts } from '../../support/data/stored.ts';
import { connectionLost, failure, onWire } from '../../support/faults/wire.ts';

let undo = () => {};
afterEach(() => undo());

async function givenState() {
  const account = givenAccount();
  const [record] = (await givenContacts(account, [aContact()])) as [Contact];
  const ref = inAccount(contacts, account);
  const current = await getState(ref, record.id);
  const after = (change: Partial<Contact>): State<Contact> => ({
    ...current,
    record: { ...record, ...change, version: 2 },
    origin: byProduct,
  });
  const replace = (next: State<Contact>) => replaceState(ref, current, next);
  return { account, after, replace };
}

test('a caller whose answer is lost, and whose record has changed since, gets neither success nor a conflict', async () => {
  const { account, after, replace } = await givenState();
  let lost = false;
  undo = onWire(async (call, send) => {
    const answer = await send();
    if (call.name !== 'UpdateItem' || lost) return answer;
    lost = true;
    answer.response.body.resume();
    const [{ id }] = (await allContacts(account)) as [Contact];
    await updateRecord(
      inAccount(contacts, account),
      id,
      ({ record }) => ({ content: { ...record, note: 'theirs' } }),
      {
        deadline: inAnHour(),
        origin: byProduct,
      },
    );
    throw connectionLost();
  });
  await expect(replace(after({ note: 'ours' }))).rejects.toThrow(/took effect is unknown/);
  expect(await allContacts(account)).toMatchObject([{ version: 3, note: 'theirs' }]);
});

test('a throttled caller that was overtaken has not changed the record, and gets a conflict', async () => {
  const { account, after, replace } = await givenState();
  let throttled = false;
  undo = onWire(async (call, send) => {
    if (call.name !== 'UpdateItem' || throttled) return send();
    throttled = true;
    const [{ id }] = (await allContacts(account)) as [Contact];
    const theirs = ({ record }: State<Contact>) => ({ content: { ...record, note: 'theirs' } });
    await updateRecord(inAccount(contacts, account), id, theirs, { deadline: inAnHour(), origin: byProduct });
    return failure('ThrottlingException');
  });
  const outcome = await replace(after({ note: 'ours' }));
  expect(outcome).toMatchObject({ kind: 'overtaken', by: { record: { note: 'theirs', version: 2 } } });
});
