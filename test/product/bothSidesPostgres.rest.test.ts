import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PostgresProduct } from './support/exampleProduct.ts';
import { useBothSides } from './support/useBothSides.ts';
import { projectWithTickets } from './support/withTickets.ts';

// The example product with PostgreSQL, and a local stack that has tickets, too: both sides edit, delete and merge the same records at once.

const wrongAfterAll = useBothSides(async (folder) => {
  const { project, sqls } = projectWithTickets(join(folder, 'project'));
  return { product: await PostgresProduct.open(sqls), project };
});

test('edits from both sides at once, deletions and merges, with messages repeated, late and in any order, kills and faults: both databases are equal, nothing deleted comes back, no edit is gone but by the rule, and each version is in the feed and at the receiver', async () => {
  expect(await wrongAfterAll()).toEqual([]);
});
