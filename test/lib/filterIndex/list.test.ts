import { beforeAll, describe, expect, test } from 'vitest';
import type { ListQuery } from '../../../lib/filterIndex/conditions.ts';
import { listMatching } from '../../../lib/filterIndex/listMatching.ts';
import { newSeed, recordId } from '../../../lib/records/position.ts';
import { inAccount } from '../../../lib/records/recordKeys.ts';
import { type Contact, contacts } from '../../../lib/resources/contacts.ts';
import { consumedBy } from '../../bench/cost/consumed.ts';
import { aContact, givenAccount, givenContacts } from '../../support/data/given.ts';

const query = (more: Partial<ListQuery> = {}): ListQuery => ({
  limit: 25,
  offset: 0,
  sort: 'created_at',
  ...more,
});

describe('a list by external id', () => {
  const account = givenAccount();
  let all: Contact[];
  beforeAll(async () => {
    all = await givenContacts(account, [aContact(), aContact(), aContact()]);
  });

  const ids = async (more: Partial<ListQuery>) => {
    const { data, pagination } = await listMatching(inAccount(contacts, account), query(more));
    expect(pagination.total).toBe(data.length);
    return data.map(({ id }) => all.findIndex((one) => one.id === id));
  };

  test('is exact at once', async () => {
    const [fresh] = (await givenContacts(account, [aContact()])) as [Contact];
    const { data } = await listMatching(
      inAccount(contacts, account),
      query({ external_id: fresh.external_id as string }),
    );
    expect(data).toEqual([fresh]);
    expect(await ids({ external_id: all[0]?.external_id as string, tag: ['none'] })).toEqual([]);
  });

  test('looks at times and at `after` in the record, for two units', async () => {
    const { external_id, created_at, updated_at } = all[1] as Contact;
    const named = { external_id: external_id as string };
    expect(await ids({ ...named, created_since: created_at, updated_since: updated_at })).toEqual([1]);
    expect(await ids({ ...named, created_before: created_at })).toEqual([]);
    expect(await ids({ ...named, after: all[0]?.id })).toEqual([1]);
    expect(await ids({ ...named, after: all[1]?.id })).toEqual([]);
    const list = () =>
      listMatching(inAccount(contacts, account), query({ ...named, created_since: created_at }));
    expect(await consumedBy(list)).toEqual({ read: 2, write: 0 });
  });
});

describe('a list by ids', () => {
  const account = givenAccount();
  const unknown = recordId('con', 3, newSeed());
  let all: Contact[];
  beforeAll(async () => {
    all = await givenContacts(
      account,
      Array.from({ length: 230 }, (_, i) => aContact({ tags: [i % 2 === 0 ? 'even' : 'odd'] })),
    );
  });

  async function found(more: Partial<ListQuery>) {
    const { data, pagination } = await listMatching(inAccount(contacts, account), query(more));
    return { at: data.map(({ id }) => all.findIndex((one) => one.id === id)), total: pagination.total };
  }
  const idsAt = (...at: number[]) => at.map((i) => all[i]?.id as string);

  test('has the records in the order of the list, without those that are not there', async () => {
    const [foreign] = (await givenContacts(givenAccount(), [aContact()])) as [Contact];
    const id = [...idsAt(229, 7, 110), unknown, foreign.id, recordId('con', 999_999_999_999, newSeed())];
    expect(await found({ id })).toEqual({ at: [7, 110, 229], total: 3 });
    expect(await found({ id, sort: '-created_at' })).toEqual({ at: [229, 110, 7], total: 3 });
    expect(await found({ id: [unknown] })).toEqual({ at: [], total: 0 });
  });

  test('is exact at once, also with filters, which the index does not know yet', async () => {
    const id = idsAt(0, 1, 2, 3, 4);
    expect(await found({ id, tag: ['even'] })).toEqual({ at: [0, 2, 4], total: 3 });
    expect(await found({ id, external_id: all[3]?.external_id as string })).toEqual({ at: [3], total: 1 });
    const { created_at = '' } = all[2] ?? {};
    const since = all.slice(0, 5).flatMap((one, i) => (one.created_at >= created_at ? [i] : []));
    expect(await found({ id, created_since: created_at })).toEqual({ at: since, total: since.length });
    expect((await found({ id, created_before: created_at })).total).toBe(5 - since.length);
    expect((await found({ id, updated_since: all[0]?.updated_at as string })).total).toBe(5);
  });

  test('costs a unit for each id at most', async () => {
    const list = (id: string[]) =>
      consumedBy(() => listMatching(inAccount(contacts, account), query({ id, limit: 100 })));
    const spread = Array.from({ length: 9 }, (_, i) => i * 25);
    expect(await list(idsAt(...spread))).toEqual({ read: 9, write: 0 });
    expect((await list(all.slice(0, 100).map(({ id }) => id))).read).toBeLessThanOrEqual(100);
  });
});
