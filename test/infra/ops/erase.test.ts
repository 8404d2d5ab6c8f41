import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listWebhookDeliveries, redeliverWebhook } from '../../../lib/contract/webhookDeliveries.ts';
import { blankContact } from '../../../lib/resources/contacts/fields.ts';
import {
  createContact,
  getContact,
  listContacts,
  updateContact,
} from '../../../lib/resources/contacts/operations.ts';
import { documents } from '../../../lib/resources/documents.ts';
import { fieldFor, type ResourceType, resources } from '../../../lib/resources/index.ts';
import { listOrders } from '../../../lib/resources/orders/operations.ts';
import { canaryContact, itemsWith } from '../../support/data/canaries.ts';
import {
  aContact,
  anOrder,
  givenAccount,
  givenContacts,
  givenKey,
  givenOrders,
  givenSubscription,
} from '../../support/data/given.ts';
import { aRecord, givenRecords, typesOfContacts } from '../../support/data/records.ts';
import { call } from '../../support/http/api.ts';
import { indexed } from '../../support/pipeline/expectedIndex.ts';
import { Receiver } from '../../support/pipeline/receiver.ts';
import { isWhole } from '../../support/run/extent.ts';
import { run } from '../../support/stack/commands.ts';

const receiver = new Receiver();
beforeAll(() => receiver.open());
afterAll(() => receiver.close());

const erase = (id: string, ...args: string[]) => run('erase', ['contact', id, ...args]);
const json = async (id: string, ...args: string[]) => JSON.parse((await erase(id, ...args, '--json')).stdout);

async function until(done: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await done())) await sleep(50);
}

let account: string;
let key: string;
let canary: string;
beforeEach(async () => {
  account = givenAccount();
  key = (await givenKey(account)).text;
  canary = `canary${randomBytes(6).toString('hex')}`;
});

const draft = () => ({ body: canaryContact(canary), headers: { 'Idempotency-Key': canary } });
const create = async () => (await call(createContact, { key, ...draft() })).body;
const change = (contactId: string, body: object) => call(updateContact, { key, params: { contactId }, body });
const read = async (contactId: string) => (await call(getContact, { key, params: { contactId } })).body;

/** A subscription with its path on the receiver, which answers with this status. */
async function givenListener(status: number, more: object = {}) {
  const path = `${status}-${randomBytes(4).toString('hex')}`;
  const { id, secret } = await givenSubscription(account, { url: receiver.url(path), ...more });
  receiver.trust(path, secret);
  return { id, path, received: () => receiver.requestsAt(path).map(({ body }) => JSON.parse(body)) };
}
receiver.reply = ({ path }) => Number(path.split('-')[0]);

describe('a contact', () => {
  test.runIf(isWhole)(
    'leaves the sets of filters, and the command says how many records quote it',
    async () => {
      const { id } = await create();
      await givenOrders(account, [anOrder({ contact_id: id }), anOrder({ contact_id: id }), anOrder()]);
      const others = typesOfContacts.filter((type) => type !== 'order');
      for (const type of others) await givenRecords(type, account, [aRecord(type, { contact_id: id })]);
      const counts = others.map((type) => [fieldFor(resources[type]), 1]);
      const found = async (
        operation: typeof listContacts | (typeof documents)[ResourceType]['list'],
        query: Record<string, string>,
      ) => (await call(operation, { key, query })).body.pagination.total;
      const address = canaryContact(canary).email as string;
      await until(async () => (await found(listContacts, { email: address })) === 1);
      await until(async () => (await found(listOrders, { contact_id: id })) === 2);
      for (const type of others)
        await until(async () => (await found(documents[type].list, { contact_id: id })) === 1);
      expect((await json(id)).quoted_by).toEqual({ orders: 2, ...Object.fromEntries(counts) });
      const terms = () => indexed(account).then((said) => said.filter((one) => one.includes('#contact#')));
      await until(async () => (await terms()).length === 0);
      expect(await found(listContacts, { email: address })).toBe(0);
    },
  );

  test('is blank in every table, at its place, and its subscribers get contact.updated', async () => {
    const works = await givenListener(204);
    const fails = await givenListener(500);
    await givenListener(204, { event_types: ['contact.created'] });
    const [before] = await givenContacts(account, [aContact({ note: 'before it' })]);
    const { id, created_at } = await create();
    const [after] = await givenContacts(account, [aContact({ note: 'after it' })]);
    await change(id, { note: `${canary} another` });
    await until(() => works.received().length === 4 && fails.received().length === 4);

    const { code, stdout, stderr } = await erase(id);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toContain(`The contact ${id} of ${account} was erased at `);
    expect(stdout).toMatch(/^external id +free again\nkept answer +blanked\nevents +2 blanked$/m);
    expect(stdout).toContain('2 of 3 subscriptions of the account get contact.updated');
    expect(stdout).not.toContain(canary);
    expect(await itemsWith(canary)).toEqual([]);

    const { updated_at, ...rest } = await read(id);
    expect(rest).toEqual({ id, ...blankContact, version: 3, created_at });
    expect(updated_at > created_at).toBe(true);
    const { body } = await call(listContacts, { key });
    expect(body.data.map((one) => [one.id, one.note])).toEqual([
      [before?.id, 'before it'],
      [id, null],
      [after?.id, 'after it'],
    ]);
    await until(() => works.received().length === 5);
    expect(works.received().at(-1)).toMatchObject({
      type: 'contact.updated',
      resource: { id, version: 3 },
      previous: {},
      data: { id, ...blankContact },
    });
    await until(() => fails.received().some(({ resource }) => resource.version === 3));
    expect(await itemsWith(canary)).toEqual([]);
  });

  test('that was erased is not in deliveries that are sent again, nor in their log', async () => {
    const fails = await givenListener(500);
    const { id } = await create();
    await until(() => fails.received().length === 1);
    const params = { subscriptionId: fails.id };
    const log = async () => (await call(listWebhookDeliveries, { key, params })).body.data;
    await until(async () => (await log())[0]?.attempt_count === 1);
    expect((await log())[0]?.attempts[0]?.response_excerpt).toBe('a canary of the receiver');
    expect(await json(id)).toMatchObject({ events: 1, deliveries: 1 });
    const [delivery] = (await log()).slice(-1);
    expect(delivery?.attempts[0]).toMatchObject({ http_status: 500, response_excerpt: null });
    await call(redeliverWebhook, { key, params: { ...params, deliveryId: delivery?.id as string } });
    const sent = () => receiver.requestsAt(fails.path).filter((one) => one.id === delivery?.event_id);
    await until(() => sent().length > 1);
    expect(JSON.parse(sent().at(-1)?.body ?? '')).toMatchObject({
      type: 'contact.created',
      previous: {},
      data: { id },
    });
    expect(sent().at(-1)?.body).not.toContain(canary);
  });

  test('that was erased is not created again when its create is repeated', async () => {
    const { id } = await create();
    await erase(id);
    const repeated = await call(createContact, { key, ...draft() });
    expect(repeated.status).toBe(201);
    expect(repeated.body).toMatchObject({ id, ...blankContact, version: 1 });
    expect((await call(listContacts, { key })).body.pagination.total).toBe(1);
  });
});

test('a second run finds nothing left, and makes no version', async () => {
  const { id } = await create();
  const first = await json(id);
  expect(first).toMatchObject({
    account,
    id,
    version: 2,
    repeated: false,
    external_id: true,
    kept_answer: true,
  });
  const second = await json(id, '--account', account);
  expect(second).toEqual({
    ...first,
    repeated: true,
    external_id: false,
    kept_answer: false,
    events: 0,
    deliveries: 0,
  });
});

test('an id that no account with a key has is refused', async () => {
  const id = `con_${'0'.repeat(24)}`;
  expect(await erase(id)).toEqual({
    code: 1,
    stdout: '',
    stderr: `No account that has a key has the contact ${id}. Check the id, or name the account with --account.\n`,
  });
});
