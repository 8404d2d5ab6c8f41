import { expect, test } from 'vitest';
import { conditionsOf, fulfilsFilters } from '../../../lib/filterIndex/conditions.ts';
import { entriesIn } from '../../../lib/filterIndex/indexEntries.ts';
import type { IndexedFields } from '../../../lib/resources/collection.ts';

interface Record {
  due_at: string | null;
}

const fields: IndexedFields<Record> = {
  values: [],
  times: [{ name: 'due', timeOf: ({ due_at }) => due_at }],
};

test('a record without a time is in no item of the index, and in no range', () => {
  const ref = { account: 'acme', type: 'order' } as const;
  const entriesOf = (due_at: string | null) => entriesIn(ref, fields, 0, { due_at });
  expect(entriesOf('2026-03-01T09:30:00.000Z')).not.toEqual([]);
  expect(entriesOf(null)).toEqual([]);
  const since = conditionsOf(fields, { due_since: '0000-01-01T00:00:00.000Z' });
  expect(fulfilsFilters({ due_at: '2026-03-01T09:30:00.000Z' }, since)).toBe(true);
  expect(fulfilsFilters({ due_at: null }, since)).toBe(false);
  expect(fulfilsFilters({ due_at: null }, conditionsOf(fields, {}))).toBe(true);
});
