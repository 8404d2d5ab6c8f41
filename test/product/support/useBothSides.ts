import { afterAll, beforeAll } from 'vitest';
import { Random } from '../../simulation/random.ts';
import { soak } from '../../soak/soak.ts';
import { Stage } from '../../soak/stage.ts';
import { removeFolder, temporaryFolder } from '../../support/stack/stackProcess.ts';
import type { ExampleProduct } from './exampleProduct.ts';

const { EDITS = 400 } = process.env;

const load = { contacts: 40, edits: Number(EDITS), kills: 3, faultyMs: 20 * Number(EDITS) };

/**
 * A product and a local stack of their own. A process has one of them, because its clients of AWS have one endpoint.
 * @returns what lets both sides edit, delete and merge the same contacts at once, and answers what is wrong afterwards
 */
export function useBothSides(
  open: (folder: string) => Promise<{ product: ExampleProduct; project?: string }>,
): () => Promise<string[]> {
  const seed = Number(process.env.TEST_SEED);
  const folder = temporaryFolder();
  let stage: Stage;
  beforeAll(async () => {
    const { product, project } = await open(folder);
    stage = await Stage.open(folder, new Random(seed), product, project);
  });
  afterAll(async () => {
    await stage.close();
    removeFolder(folder);
  });
  return async () => (await soak(stage, { ...load, seed })).wrong;
}
