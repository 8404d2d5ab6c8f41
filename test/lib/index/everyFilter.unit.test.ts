import { expect, test } from 'vitest';
import { listContacts } from '../../../lib/contract/contacts.ts';
import { listEventRegistrations } from '../../../lib/contract/eventRegistrations.ts';
import { listOrders } from '../../../lib/contract/orders.ts';
import { id } from '../../../lib/contract/values/fields.ts';
import { recordQuery } from '../../../lib/contract/values/filters.ts';
import { fieldsOf } from '../../../lib/index/fields.ts';

// A filter that the contract takes and the index does not know would let every record through.

/** What a list of records takes besides the filters of the index. */
const others = [...Object.keys(recordQuery(id('any'), {}).shape), 'external_id'];

test.each([
  ['contact', listContacts.query],
  ['order', listOrders.query],
  ['event_registration', listEventRegistrations.query],
] as const)('the index knows every filter of the list of type %s', (type, query) => {
  const { values, times } = fieldsOf({ type });
  const indexed = [
    ...values.map(({ name }) => name),
    ...times.flatMap(({ name }) => [`${name}_since`, `${name}_before`]),
  ];
  const filters = Object.keys(query().shape).filter((name) => !others.includes(name));
  expect(filters.length).toBeGreaterThan(2);
  // Not the reverse: before a release that has a filter, another one builds its index.
  expect(filters.filter((name) => !indexed.includes(name))).toEqual([]);
});
