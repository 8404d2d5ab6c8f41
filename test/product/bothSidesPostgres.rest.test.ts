import { expect, test } from 'vitest';
import { PostgresProduct } from './support/exampleProduct.ts';
import { useBothSides } from './support/useBothSides.ts';

// The example product with PostgreSQL, and the local stack: both sides edit, delete and merge the same contacts at once.

const wrongAfterAll = useBothSides(() => PostgresProduct.open());

test('edits from both sides at once, deletions and merges, with messages repeated, late and in any order, kills and faults: both databases are equal, nothing deleted comes back, no edit is gone but by the rule, and each version is in the feed and at the receiver', async () => {
  expect(await wrongAfterAll()).toEqual([]);
});
