import { setTimeout as sleep } from 'node:timers/promises';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listChanges } from '../../../lib/contract/changes.ts';
import { eventResourceTypes, readScopes } from '../../../lib/contract/eventTypes.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { env, required } from '../../../lib/env.ts';
import { feedHeadKey, readFeedHead } from '../../../lib/feed/feedItems.ts';
import { listFeed } from '../../../lib/feed/listFeed.ts';
import { type Contact, createContact, updateContact } from '../../../lib/resources/contacts.ts';
import { resources, resourceTypes, type Scope } from '../../../lib/resources/index.ts';
import type { Order } from '../../../lib/resources/orders.ts';
import { letFeedAge } from '../../support/data/feedAge.ts';
import { aContact, givenAccount, givenContacts, givenKey } from '../../support/data/given.ts';
import { anOrder, givenOrders } from '../../support/data/orders.ts';
import {
  aStreamedRecord,
  changeTo,
  creations,
  givenNumbered,
  noticeOf,
} from '../../support/data/streamedChanges.ts';
import { call, type Request } from '../../support/http/api.ts';
import { divertLog } from '../../support/run/logLines.ts';

let log: ReturnType<typeof divertLog>;
beforeAll(() => {
  log = divertLog();
});
afterAll(() => log.end());

async function given(amount: number) {
  const account = givenAccount();
  await givenNumbered(creations(account, amount));
  const { text: key } = await givenKey(account);
  const list = async (query: Request['query'] = {}) => {
    const { status, body } = await call(listChanges, { key, query });
    return { status, numbers: body.data?.map(({ number }) => number), ...body };
  };
  return { account, list };
}

const from = (first: number, amount: number) => Array.from({ length: amount }, (_, i) => first + i);

const dayMs = 24 * 3_600_000;

const typesProblem = `types must be 1 to 50 types of changes, separated by commas, as in contact.*,order.paid: each is *, or one of ${eventResourceTypes.join(', ')} with a dot and * or a word of a-z and _ of at most 32 characters after it`;

/** Sets when the feed's days were: `ago` has the first number of a day by the days since then. */
async function givenDays(account: string, ago: Record<number, number>): Promise<void> {
  // What is asked next is asked on the same day: at the end of a day the next one is waited for.
  const left = dayMs - (Date.now() % dayMs);
  if (left < 60_000) await sleep(left);
  const days = Object.fromEntries(
    Object.entries(ago).map(([days, first]) => [
      new Date(Date.now() - Number(days) * dayMs).toISOString().slice(0, 10),
      first,
    ]),
  );
  await dynamodb().send(
    new UpdateCommand({
      TableName: required(env.indexTable),
      Key: feedHeadKey(account),
      UpdateExpression: 'SET #days = :days',
      ExpressionAttributeNames: { '#days': 'days' },
      ExpressionAttributeValues: { ':days': days },
    }),
  );
}

describe('200', () => {
  test('changes of the account, oldest first, and no others', async () => {
    const { list } = await given(3);
    await given(2);
    const { numbers, pagination } = await list();
    expect(numbers).toEqual([0, 1, 2]);
    expect(pagination).toEqual({ limit: 25, offset: 0, total: 3, has_more: false, next_after: 2 });
  });

  test('only the types that are asked for, while the others keep their numbers', async () => {
    const account = givenAccount();
    const order = aStreamedRecord(account, 0, 'order');
    await givenNumbered([
      ...creations(account, 2),
      changeTo(order, 1, { payment_status: 'pending' }),
      changeTo(order, 2, { payment_status: 'paid' }),
    ]);
    const { text: key } = await givenKey(account);
    const list = async (types: string) =>
      (await call(listChanges, { key, query: { types } })).body.data.map(({ type }) => type);
    expect(await list('order.paid')).toEqual(['order.paid']);
    expect(await list('order.paid,contact.*')).toEqual(['contact.created', 'contact.created', 'order.paid']);
    expect(await list('*')).toHaveLength(4);
    expect(await list('contact.archived')).toEqual([]);
    const page = async (query: Request['query'] & object) => (await call(listChanges, { key, query })).body;
    expect(await page({ types: 'order.*', limit: 1 })).toMatchObject({
      data: [{ number: 2 }],
      pagination: { limit: 1, offset: 0, total: 4, has_more: true, next_after: 2 },
    });
    expect(await page({ types: 'order.*', limit: 2 })).toMatchObject({
      data: [{ number: 2 }, { number: 3 }],
      pagination: { has_more: false, next_after: 3 },
    });
    // With an offset, a page covers `limit` numbers.
    expect(await page({ types: 'order.*', limit: 2, offset: 0 })).toEqual({
      data: [],
      pagination: { limit: 2, offset: 0, total: 4, has_more: true, next_after: 1 },
    });
  });

  test.each(resourceTypes.map((type) => [resources[type].scopes[0], type] as const))(
    'a key with %s gets the changes of each %s, and learns nothing of the others',
    async (scope, type) => {
      const account = givenAccount();
      const records = resourceTypes.map((one) => aStreamedRecord(account, 0, one));
      await givenNumbered(records.map((record) => changeTo(record, 1)));
      const { text: key } = await givenKey(account, [scope]);
      const { body } = await call(listChanges, { key });
      expect(body.data.map(({ resource }) => resource.type)).toEqual([type]);
      expect(body.pagination).toMatchObject({ total: records.length, next_after: records.length - 1 });
      for (const { id } of records.filter((one) => one.type !== type))
        expect(JSON.stringify(body)).not.toContain(id);
    },
  );

  test('what is older than thirty days is not listed', async () => {
    const { account, list } = await given(50);
    await givenDays(account, { 31: 0, 30: 20, 1: 40 });
    expect(await list({ limit: 100 })).toMatchObject({ numbers: from(20, 30), pagination: { total: 30 } });
    expect((await list({ limit: 100, after: 19 })).numbers).toEqual(from(20, 30));
    await givenDays(account, { 31: 0 });
    expect(await list()).toMatchObject({ numbers: [], pagination: { total: 0, next_after: 49 } });
    expect((await list({ after: 49 })).status).toBe(200);
  });
});

/** The numbers of contacts' changes that a reader who stores only these gets, or why it gets none. */
async function afterContact(account: string, after: number) {
  const { text: key } = await givenKey(account);
  const { status, body } = await call(listChanges, { key, query: { types: 'contact.*', after } });
  return status === 200 ? body.data.map(({ number }) => number) : body.message;
}

describe('after a number that is no longer kept', () => {
  test('a reader goes on as long as no change that it asks for was dropped', async () => {
    const account = givenAccount();
    const [contact, order] = [aStreamedRecord(account), aStreamedRecord(account, 0, 'order')];
    await givenNumbered([changeTo(contact, 1), changeTo(contact, 2), changeTo(order, 1), changeTo(order, 2)]);
    await letFeedAge(account, 31);
    // Number 1 is the last change of a contact, and everything is dropped.
    expect(await afterContact(account, 1)).toEqual([]);
    expect(await afterContact(account, 0)).toContain('changes before number 4 are no longer kept');
    await givenNumbered([changeTo(order, 3)]);
    await givenNumbered([changeTo(contact, 3)]);
    expect(await afterContact(account, 1)).toEqual([5]);
    expect(await afterContact(account, 0)).toContain('load the lists again');
    await letFeedAge(account, 31);
    expect(await afterContact(account, 1)).toContain('changes before number 6 are no longer kept');
    expect(await afterContact(account, 5)).toEqual([]);
  });
});

describe('include=resource', () => {
  test('has the record as it is now beside each change, under its type; without it there is none', async () => {
    const account = givenAccount();
    const { text: key } = await givenKey(account);
    const [contact] = (await givenContacts(account, [aContact()])) as [Contact];
    const orders = await givenOrders(account, [anOrder()]);
    const params = { contactId: contact.id };
    const { body: changed } = await call(updateContact, { key, params, body: { note: 'changed' } });
    await givenNumbered([noticeOf({ account, id: 'whs_000000000000000000000001', version: 3 })]);
    const list = async (scopes: Scope[], query: Request['query'] & object) => {
      const { text } = await givenKey(account, scopes);
      return (await call(listChanges, { key: text, query })).body;
    };
    const included = () => list([], { include: 'resource' });
    await expect.poll(async () => (await included()).pagination.total).toBe(4);
    const { data } = await included();
    const shownIn = (some: typeof data) =>
      some.map((change) => [change.resource.type, change[change.resource.type as 'contact']] as const);
    expect(shownIn(data)).toHaveLength(4);
    for (const [type, record] of shownIn(data))
      expect(record).toEqual(
        new Map<string, unknown>([
          ['contact', changed],
          ['order', orders[0]],
        ]).get(type),
      );
    const recordsIn = (some: typeof data) =>
      some.map((change) => resourceTypes.filter((type) => change[type] !== undefined).length);
    expect(recordsIn(data).sort()).toEqual([0, 1, 1, 1]);
    expect(recordsIn((await list([], {})).data)).toEqual([0, 0, 0, 0]);
    const ofOrders = (await list(['orders:read'], { include: 'resource' })).data;
    expect(shownIn(ofOrders)).toEqual([['order', orders[0]]]);
  });

  test('with exclude_own, the changes that this key has not made; each names who made it', async () => {
    const account = givenAccount();
    const [mine, theirs] = await Promise.all([givenKey(account), givenKey(account)]);
    const { body } = await call(createContact, { key: mine.text, body: { email: 'a@example.com' } });
    const params = { contactId: body.id };
    await call(updateContact, { key: theirs.text, params, body: { note: 'theirs' } });
    await call(updateContact, { key: mine.text, params, body: { note: 'mine' } });
    await givenOrders(account, [anOrder()]);
    await expect.poll(async () => (await readFeedHead(account)).count).toBe(4);
    const list = async (exclude_own?: string) => {
      const query = exclude_own === undefined ? {} : { exclude_own };
      const { body } = await call(listChanges, { key: mine.text, query });
      return {
        origins: body.data
          .map(({ resource, origin }) => [resource.type, resource.version, origin])
          .sort((a, b) => (String(a) < String(b) ? -1 : 1)),
        pagination: body.pagination,
      };
    };
    const [api, order] = [(id: string) => ({ kind: 'api', key_id: id }), ['order', 1, { kind: 'product' }]];
    const all = [
      ['contact', 1, api(mine.key.id)],
      ['contact', 2, api(theirs.key.id)],
      ['contact', 3, api(mine.key.id)],
      order,
    ];
    const pagination = { total: 4, has_more: false, next_after: 3 };
    expect(await list()).toMatchObject({ origins: all, pagination });
    expect(await list('false')).toMatchObject({ origins: all, pagination });
    for (const yes of ['true', 'True'])
      expect(await list(yes)).toMatchObject({ origins: [all[1], order], pagination });
  });

  test('a page ends before its records are more than an answer can have, and the walk has each change once', async () => {
    const account = givenAccount();
    const line = (i: number) => ({
      name: 'x'.repeat(190),
      quantity: 1,
      unit_amount: 1,
      total_amount: 1,
      id: `${i}`,
      type: 'product',
    });
    const line_items = Array.from({ length: 440 }, (_, i) => line(i));
    const draft = anOrder({ line_items, subtotal_amount: 440, total_amount: 440 });
    const [{ id }] = (await givenOrders(account, [draft])) as [Order];
    await expect.poll(async () => (await readFeedHead(account)).count).toBe(1);
    const order = { account, type: 'order' as const, position: 0, id };
    await givenNumbered(from(2, 59).map((version) => changeTo(order, version)));
    for (const sort of ['number', '-number'] as const) {
      const seen: number[] = [];
      const pages: number[] = [];
      for (let after: number | undefined, more = true; more; ) {
        const query = { include: 'resource', limit: 100, sort, after } as const;
        const { data, pagination } = await listFeed(account, query, { access: { kind: 'full' }, keyId: '' });
        seen.push(...data.map(({ number }) => number));
        pages.push(data.length);
        expect(data.every(({ order }) => order?.line_items.length === 440)).toBe(true);
        ({ next_after: after, has_more: more } = pagination);
      }
      expect(seen).toEqual(sort === 'number' ? from(0, 60) : from(0, 60).reverse());
      expect(pages.length).toBeGreaterThan(1);
    }
  });
});

describe('400', () => {
  test('an after whose next change is no longer kept: the reader would never know what it missed', async () => {
    const { account, list } = await given(50);
    await givenDays(account, { 31: 0, 30: 20 });
    expect(await list({ after: 18 })).toMatchObject({
      status: 400,
      message:
        'after must be an integer from 19 to 49: changes before number 20 are no longer kept; load the lists again, and delete what they lack',
    });
    expect((await list({ after: -1 })).status).toBe(400);
  });

  test.each([
    [{ after: '-2' }, 'after must be an integer from -1 to 9007199254740991'],
    [{ after: '01' }, 'after must be an integer from -1 to 9007199254740991'],
    [{ types: '' }, typesProblem],
    [{ types: 'contact' }, typesProblem],
    // A reader that misspells a resource would pass over every change of it.
    [{ types: 'order.paid,contacts.*' }, typesProblem],
    [{ types: Array(51).fill('contact.*').join() }, typesProblem],
    [{ sort: 'at' }, 'sort must be one of number, -number'],
    [{ exclude_own: '1' }, 'exclude_own must be one of true, false'],
  ])('%o', async (query, message) => {
    const { list } = await given(0);
    expect(await list(query)).toMatchObject({ status: 400, message });
  });
});

describe('403', () => {
  test('a key that may read no records', async () => {
    const { text: key } = await givenKey(givenAccount(), ['contacts:write', 'webhooks:manage']);
    const { status, body } = await call(listChanges, { key });
    expect([status, body.message]).toEqual([
      403,
      `This API key has none of the scopes ${readScopes.join(', ')}`,
    ]);
  });
});
