import { beforeAll, describe, expect, test } from 'vitest';
import type { ListQuery } from '../../../lib/index/conditions.ts';
import { listMatching } from '../../../lib/index/list.ts';
import type { Contact } from '../../../lib/resources/contacts/fields.ts';
import { contacts } from '../../../lib/resources/contacts/record.ts';
import type { Order } from '../../../lib/resources/orders/fields.ts';
import { orders } from '../../../lib/resources/orders/record.ts';
import { aContact, anOrder, givenAccount, givenContacts, givenOrders } from '../../support/data/given.ts';
import { usePipeline } from '../../support/pipeline/usePipeline.ts';

const pipeline = usePipeline();

const query = (more: Partial<ListQuery> = {}): ListQuery => ({
  limit: 25,
  offset: 0,
  sort: 'created_at',
  ...more,
});

/** Indexes what has changed since the last time. */
const indexAll = (): Promise<void> => pipeline.index();

describe('a filtered list', () => {
  const account = givenAccount();
  let all: Contact[];
  beforeAll(async () => {
    all = await givenContacts(account, [
      aContact({ email: 'Ada@Example.com', tags: ['vip', 'news'] }),
      aContact({ email: 'ada@example.com', phone: '+4930123456', tags: ['vip'] }),
      aContact({ email: 'bob@example.com', tags: ['news'] }),
    ]);
    await indexAll();
  });

  const ids = async (more: Partial<ListQuery>) => {
    const { data, pagination } = await listMatching(contacts, account, query(more));
    expect(pagination.total).toBe(data.length);
    return data.map(({ id }) => all.findIndex((one) => one.id === id));
  };

  test('has the records with the value', async () => {
    expect(await ids({ phone: '+4930123456' })).toEqual([1]);
    expect(await ids({ phone: '+4930123457' })).toEqual([]);
    expect(await ids({ tag: ['vip'] })).toEqual([0, 1]);
    expect(await ids({ tag: ['news', 'vip'] })).toEqual([0]);
  });

  test('compares e-mail addresses without letter case', async () => {
    expect(await ids({ email: 'ADA@example.COM' })).toEqual([0, 1]);
  });

  test('can be newest first, and begin behind a record', async () => {
    expect(await ids({ tag: ['vip'], sort: '-created_at' })).toEqual([1, 0]);
    expect(await ids({ tag: ['vip'], after: all[0]?.id })).toEqual([1]);
    expect(await ids({ tag: ['vip'], after: all[1]?.id, sort: '-created_at' })).toEqual([0]);
    expect(await ids({ after: all[0]?.id })).toEqual([1, 2]);
    expect(await ids({ after: all[2]?.id, sort: '-created_at' })).toEqual([1, 0]);
  });

  test('by external id is exact at once', async () => {
    const [fresh] = (await givenContacts(account, [aContact()])) as [Contact];
    const { data } = await listMatching(
      contacts,
      account,
      query({ external_id: fresh.external_id as string }),
    );
    expect(data).toEqual([fresh]);
    expect(await ids({ external_id: all[0]?.external_id as string, tag: ['none'] })).toEqual([]);
  });
});

test('orders are found by their words and times', async () => {
  const account = givenAccount();
  const all: Order[] = await givenOrders(account, [
    anOrder({ placed_at: '2024-12-31T23:59:59.999Z', status: 'pending' }),
    anOrder({ placed_at: '2025-01-01T00:00:00Z' }),
    anOrder({ placed_at: '2025-06-15T12:30:00Z', payment_status: 'unpaid' }),
    anOrder({ placed_at: '2026-03-01T09:30:00Z' }),
  ]);
  await indexAll();
  const found = async (more: Partial<ListQuery>) =>
    (await listMatching(orders, account, query(more))).data.map(({ id }) =>
      all.findIndex((one) => one.id === id),
    );
  expect(await found({ placed_since: '2025-01-01T00:00:00.000Z' })).toEqual([1, 2, 3]);
  expect(await found({ placed_before: '2025-01-01T00:00:00.000Z' })).toEqual([0]);
  expect(
    await found({ placed_since: '2024-12-31T23:59:59.999Z', placed_before: '2025-06-15T12:30:00.000Z' }),
  ).toEqual([0, 1]);
  expect(await found({ status: ['confirmed', 'pending'], payment_status: ['unpaid'] })).toEqual([2]);
  expect(await found({ status: ['unknown_word'] })).toEqual([]);
});

test('of records that changed since a time, it has all and no others', async () => {
  const account = givenAccount();
  const drafts = Array.from({ length: 30 }, () => aContact());
  const all = await givenContacts(account, drafts);
  await new Promise((resolve) => setTimeout(resolve, 5));
  const since = new Date().toISOString();
  await givenContacts(account, [{ ...drafts[3], note: 'changed' }, aContact()]);
  await indexAll();
  const { data, pagination } = await listMatching(contacts, account, query({ updated_since: since }));
  expect(pagination.total).toBe(2);
  expect(data.map(({ id }) => all.findIndex((one) => one.id === id))).toEqual([3, -1]);
  const created = await listMatching(contacts, account, query({ created_since: since }));
  expect(created.pagination.total).toBe(1);
  const before = await listMatching(contacts, account, query({ created_before: since }));
  expect(before.pagination.total).toBe(30);
});
