import { expect, test } from 'vitest';
import { filtersOf } from '../../../lib/resources/collections.ts';
import { listContacts } from '../../../lib/resources/contacts/operations.ts';
import { listEventRegistrations } from '../../../lib/resources/eventRegistrations/operations.ts';
import { listOrders } from '../../../lib/resources/orders/operations.ts';
import { id } from '../../../lib/values/fields.ts';
import { recordQuery } from '../../../lib/values/filters.ts';

// A filter that the contract takes and the index does not know would let every record through.

/** What a list of records takes besides the filters of the index. */
const others = [...Object.keys(recordQuery(id('any'), {}).shape), 'external_id'];

test.each([
  ['contact', listContacts.query],
  ['order', listOrders.query],
  ['event_registration', listEventRegistrations.query],
] as const)('the index knows every filter of the list of type %s', (type, query) => {
  const { values, times } = filtersOf({ type });
  const indexed = [
    ...values.map(({ name }) => name),
    ...times.flatMap(({ name }) => [`${name}_since`, `${name}_before`]),
  ];
  const filters = Object.keys(query().shape).filter((name) => !others.includes(name));
  expect(filters.length).toBeGreaterThan(2);
  // Not the reverse: before a release that has a filter, another one builds its index.
  expect(filters.filter((name) => !indexed.includes(name))).toEqual([]);
});
