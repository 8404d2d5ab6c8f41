import { expect, test } from 'vitest';
import { collectionOf } from '../../../lib/resources/collections.ts';
import { givenAccount, givenKey } from '../../support/data/given.ts';
import { aRecord, givenRecords, listsAndReads } from '../../support/data/records.ts';
import { call } from '../../support/http/api.ts';

/** Values of which each filter takes one. */
const others = ['none', 'nobody@example.com', '+4930000000', 'con_000000000000000000000000'];

test.each(listsAndReads)(
  'every filter of $list.path finds a record by its value, and by no other',
  async ({ type, list }) => {
    const account = givenAccount();
    const { text: key } = await givenKey(account);
    const [record] = await givenRecords(type, account, [aRecord(type)]);
    if (!record) throw new Error('nothing was stored');
    const total = async (name: string, value: string) => {
      const { status, body } = await call(list, { key, query: { [name]: value } });
      expect(status, `${name}=${value}`).toBe(200);
      return (body as unknown as { pagination: { total: number } }).pagination.total;
    };
    const { values, times } = collectionOf(type).filters;
    for (const { name, valuesOf } of values) {
      const [value] = valuesOf(record);
      if (!value) throw new Error(`the example in the reference has no ${name}`);
      const isTaken = (one: string) =>
        list.query?.().safeParse({ [name]: name === 'tag' ? [one] : one }).success;
      const other = others.find(isTaken) ?? value.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
      await expect.poll(() => total(name, value), { message: name }).toBe(1);
      expect(await total(name, other), `${name}=${other}`).toBe(0);
    }
    for (const { name, timeOf } of times) {
      const time = timeOf(record) as string;
      await expect.poll(() => total(`${name}_since`, time), { message: name }).toBe(1);
      expect(await total(`${name}_before`, time), name).toBe(0);
    }
  },
);
