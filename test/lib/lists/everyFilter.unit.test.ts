import { expect, test } from 'vitest';
import { collectionOf } from '../../../lib/resources/collections.ts';
import { documents } from '../../../lib/resources/documents.ts';
import { resourceTypes } from '../../../lib/resources/index.ts';
import { recordQuery } from '../../../lib/values/filters.ts';

// A filter that the contract takes and the index does not know would let every record through.

/** What a list of records takes besides the filters of the index. */
const others = [...Object.keys(recordQuery('any', {}).shape), 'external_id'];

test.each(resourceTypes)('the index knows every filter of the list of type %s', (type) => {
  const { query } = documents[type].list;
  const { values, times } = collectionOf(type).filters;
  const indexed = [
    ...values.map(({ name }) => name),
    ...times.flatMap(({ name }) => [`${name}_since`, `${name}_before`]),
  ];
  const filters = Object.keys(query().shape).filter((name) => !others.includes(name));
  expect(filters.length).toBeGreaterThan(0);
  // Not the reverse: before a release that has a filter, another one builds its index.
  expect(filters.filter((name) => !indexed.includes(name))).toEqual([]);
});
