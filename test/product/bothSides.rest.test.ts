import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Random } from '../simulation/random.ts';
import { soak } from '../soak/soak.ts';
import { Stage } from '../soak/stage.ts';
import { isWhole } from '../support/run/extent.ts';
import { removeFolder, temporaryFolder } from '../support/stack/stackProcess.ts';
import { PostgresProduct, SqliteProduct } from './support/exampleProduct.ts';

// The example product and the local stack: both sides edit, delete and merge the same contacts at once.

const load = isWhole
  ? { contacts: 50, edits: 1000, kills: 3, faultyMs: 20_000 }
  : { contacts: 8, edits: 120, kills: 2, faultyMs: 0 };

const seed = Number(process.env.TEST_SEED);

describe.each(['SQLite', 'PostgreSQL'])('with %s', (kind) => {
  const folder = temporaryFolder();
  let stage: Stage;
  beforeAll(async () => {
    const product =
      kind === 'SQLite' ? new SqliteProduct(join(folder, 'product.sqlite')) : await PostgresProduct.open();
    stage = await Stage.open(folder, new Random(seed), product);
  });
  afterAll(async () => {
    await stage.close();
    removeFolder(folder);
  });

  test('edits from both sides at once, deletions and merges, with messages repeated, late and in any order, kills and faults: both databases are equal, nothing deleted comes back, no edit is gone but by the rule, and each version is in the feed and at the receiver', async () => {
    expect((await soak(stage, { ...load, seed })).wrong).toEqual([]);
  });
});
