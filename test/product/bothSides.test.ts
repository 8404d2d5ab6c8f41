import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readStackFile, type StackDescription } from '../../infra/local/process/stackFile.ts';
import { connect } from '../../infra/ops/connection.ts';
import { Random } from '../simulation/random.ts';
import { openFaultServer } from '../soak/faults/faultServer.ts';
import { faultKinds } from '../soak/faults/schedule.ts';
import { SoakStack } from '../soak/soakStack.ts';
import { givenAccount, givenKey } from '../support/data/given.ts';
import { inPool } from '../support/data/pool.ts';
import { isWhole } from '../support/run/extent.ts';
import { removeFolder, temporaryFolder } from '../support/stack/stackProcess.ts';
import { BothSides } from './support/bothSides.ts';
import { ExampleProduct, productVariables } from './support/exampleProduct.ts';
import { UnreliableQueues } from './support/unreliableQueues.ts';

// The example product and the local stack: both sides edit the same contacts at once.

const [contacts, edits, kills] = isWhole ? [500, 10_000, 5] : [8, 100, 2];

const seed = Number(process.env.TEST_SEED);
const folder = temporaryFolder();
const database = join(folder, 'product.sqlite');
const faults = await openFaultServer();
const stack = new SoakStack(folder, faults.port);
const running = () => readStackFile(folder) as StackDescription;
const queues = new UnreliableQueues(new Random(seed), () => new URL(running().recordsInboxUrl).origin);
let address: string;
const product = new ExampleProduct(() => productVariables(running(), database, address));

beforeAll(async () => {
  await stack.start();
  address = await queues.open();
  product.start();
});
afterAll(async () => {
  await product.kill();
  queues.close();
  await stack.stop();
  faults.close();
  removeFolder(folder);
});

async function killProduct(): Promise<void> {
  await product.kill();
  await queues.giveBack();
  product.start();
}

async function killStack(): Promise<void> {
  await stack.killAndRestart();
  await killProduct();
}

test('edits from both sides at once, with messages repeated, late and in any order, kills and faults: both databases are equal, and no edit is gone but by the rule', async () => {
  await connect({ data: folder });
  const account = givenAccount();
  const { text: key } = await givenKey(account);
  const both = new BothSides({ random: new Random(seed + 1), url: () => stack.url, key, account, database });
  await expect.poll(() => both.isReady()).toBe(true);
  await both.begin(contacts);
  if (isWhole)
    stack.meetFaults(
      faultKinds.map((kind, i) => {
        const from = Date.now() + 12_000 * i;
        return { kind, from, to: from + 8000, share: 0.2 };
      }),
    );
  const killAt = new Map(
    Array.from({ length: kills }, (_, i) => [
      Math.floor((edits * (i + 1)) / (kills + 1)),
      i % 2 === 0 ? killProduct : killStack,
    ]),
  );
  await inPool(6, [...Array(edits).keys()], async (nth) => {
    const kill = killAt.get(nth)?.();
    await both.edit();
    await kill;
  });
  const end = Date.now();
  await expect
    .poll(() => both.differences(), { interval: 200, timeout: isWhole ? 1_200_000 : 300_000 })
    .toEqual([]);
  console.log(`equal ${Date.now() - end} ms after the last edit`, both.counts, queues.counts, faults.counts);
  expect(await both.wrong()).toEqual([]);
  both.close();
});
