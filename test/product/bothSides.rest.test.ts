import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SqliteProduct } from './support/exampleProduct.ts';
import { useBothSides } from './support/useBothSides.ts';

// The example product with SQLite, and the local stack: both sides edit, delete and merge the same contacts at once.

const wrongAfterAll = useBothSides(async (folder) => ({
  product: new SqliteProduct(join(folder, 'product.sqlite')),
}));

test('edits from both sides at once, deletions and merges, with messages repeated, late and in any order, kills and faults: both databases are equal, nothing deleted comes back, no edit is gone but by the rule, and each version is in the feed and at the receiver', async () => {
  expect(await wrongAfterAll()).toEqual([]);
});
