import { afterAll, beforeAll } from 'vitest';
import { Random } from '../../simulation/random.ts';
import { soak } from '../../soak/soak.ts';
import { Stage } from '../../soak/stage.ts';
import { isWhole } from '../../support/run/extent.ts';
import { removeFolder, temporaryFolder } from '../../support/stack/stackProcess.ts';
import type { ExampleProduct } from './exampleProduct.ts';

const { EDITS = 1000 } = process.env;

const load = isWhole
  ? { contacts: 50, edits: Number(EDITS), kills: 3, faultyMs: 20 * Number(EDITS) }
  : { contacts: 8, edits: 120, kills: 2, faultyMs: 0 };

/**
 * A product and a local stack of their own. A process has one of them, because its clients of AWS have one endpoint.
 * @returns what lets both sides edit, delete and merge the same contacts at once, and answers what is wrong afterwards
 */
export function useBothSides(open: (folder: string) => Promise<ExampleProduct>): () => Promise<string[]> {
  const seed = Number(process.env.TEST_SEED);
  const folder = temporaryFolder();
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open(folder, new Random(seed), await open(folder));
  });
  afterAll(async () => {
    await stage.close();
    removeFolder(folder);
  });
  return async () => (await soak(stage, { ...load, seed })).wrong;
}
