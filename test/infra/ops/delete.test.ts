import { beforeEach, expect, test } from 'vitest';
import { readById } from '../../../lib/records/get.ts';
import { createContact } from '../../../lib/resources/contacts.ts';
import { aContact, givenAccount, givenContacts, givenKey } from '../../support/data/given.ts';
import { anOrder, givenOrders } from '../../support/data/orders.ts';
import { call } from '../../support/http/api.ts';
import { run } from '../../support/stack/commands.ts';

let account: string;
let key: string;
beforeEach(async () => {
  account = givenAccount();
  key = (await givenKey(account)).text;
});

const remove = async (id: string, ...args: string[]) =>
  JSON.parse((await run('delete', ['contacts', id, '--account', account, '--json', ...args])).stdout);
const isDeleted = async (type: 'contact' | 'order', id: string) =>
  readById({ account, type }, id).then((item) => String(item?.deleted_at ?? '') > String(item?.created_at));

test('a contact is deleted with what quotes it, as far as that is asked for', async () => {
  const { id } = (await call(createContact, { key, body: { email: 'Ada@example.com' } })).body;
  const [other] = await givenContacts(account, [aContact()]);
  const orders = await givenOrders(account, [
    anOrder({ contact_id: id }),
    anOrder({ customer: { email: 'ada@EXAMPLE.com' } }),
    anOrder({ contact_id: other?.id }),
  ]);
  const ids = orders.map((order) => order.id);
  expect(await remove(id)).toMatchObject({
    result: 'deleted',
    version: 2,
    quotes: [
      { resource: 'orders', id: ids[0], by: ['contact_id'], of_person: true, deleted: false },
      { resource: 'orders', id: ids[1], by: ['customer.email'], of_person: true, deleted: false },
    ],
  });
  expect(await remove(id, '--also', 'orders')).toMatchObject({
    result: 'unchanged',
    quotes: [{ id: ids[0], deleted: true }],
  });
  expect(await Promise.all(ids.map((one) => isDeleted('order', one)))).toEqual([true, false, false]);
  expect([await isDeleted('contact', id), await isDeleted('contact', `${other?.id}`)]).toEqual([true, false]);
});

test('a record of somebody else that quotes the address of the contact is named and stays', async () => {
  const email = 'ada@example.com';
  const [ada] = await givenContacts(account, [aContact({ email })]);
  const customer = { email: 'bob@example.com' };
  const orders = await givenOrders(account, [
    anOrder({ customer, note: email }),
    anOrder({ customer, note: `A present: please tell ADA@example.com.` }),
    anOrder({ customer, custom_fields: { for: [{ mail: email }] } }),
    anOrder({ customer: { email: `x${email}` } }),
    anOrder({ customer: { email }, note: email }),
  ]);
  const [own, ...others] = orders.map(({ id }) => id).reverse() as [string, ...string[]];
  const { quotes } = await remove(ada?.id as string, '--also', 'orders');
  expect(quotes).toMatchObject([
    { by: ['note'], of_person: false, deleted: false },
    { by: ['note'], of_person: false, deleted: false },
    { by: ['custom_fields.for.mail'], of_person: false, deleted: false },
    { id: own, of_person: true, deleted: true },
  ]);
  expect(quotes[3].by.toSorted()).toEqual(['customer.email', 'note']);
  const gone = await Promise.all([own, ...others].map((id) => isDeleted('order', id)));
  expect(gone).toEqual([true, ...others.map(() => false)]);
});

test('addresses are compared as in lists', async () => {
  const [contact] = await givenContacts(account, [aContact({ email: 'p@größe.example' })]);
  const orders = await givenOrders(account, [
    anOrder({ customer: { email: 'P\u200b@xn--gre-6ka8i.example' } }),
    anOrder({ note: 'For p@größe.example, please' }),
  ]);
  const { quotes } = await remove(contact?.id as string, '--also', 'orders');
  expect(quotes).toMatchObject([
    { id: orders[0]?.id, by: ['customer.email'], deleted: true },
    { id: orders[1]?.id, by: ['note'], deleted: false },
  ]);
});

test('an id that the account does not have is refused, and so is an unknown resource', async () => {
  const id = `con_${'0'.repeat(24)}`;
  const args = ['contacts', id, '--account', account];
  expect(await run('delete', args)).toEqual({
    code: 1,
    stdout: '',
    stderr: `The account ${account} has no ${id}. Check both.\n`,
  });
  expect((await run('delete', [...args, '--also', 'invoices'])).stderr).toContain(
    'It is a list of contacts, orders',
  );
});
