import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { OpsCommand } from '../../infra/terminal/command.ts';
import { onSignals } from '../../infra/terminal/signals.ts';
import { SqliteProduct } from '../product/support/exampleProduct.ts';
import { Random } from '../simulation/random.ts';
import { removeFolder, temporaryFolder } from '../support/stack/stackProcess.ts';
import { soak } from './soak.ts';
import { Stage } from './stage.ts';

// npm run soak -- [options]

function parseNumber(text: string): number {
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(text)) throw new InvalidArgumentError('Give a number.');
  return Number(text);
}

const minutesPerKill = 10;

interface Options {
  minutes: number;
  rate: number;
  seed?: number;
}

async function run({ minutes, rate, seed = randomInt(1_000_000) }: Options): Promise<void> {
  const ending = new AbortController();
  onSignals(() => ending.abort());
  const folder = temporaryFolder();
  console.log(`${minutes} minutes, ${rate} edits a second, --seed ${seed}`);
  const product = new SqliteProduct(join(folder, 'product.sqlite'));
  const stage = await Stage.open(folder, new Random(seed), product);
  const edits = Math.ceil(60 * minutes * rate);
  const { wrong, unexplained } = await soak(stage, {
    contacts: 500,
    edits,
    perSecond: rate,
    kills: Math.ceil(minutes / minutesPerKill),
    faultyMs: 60_000 * minutes,
    seed,
    signal: ending.signal,
  }).finally(() => stage.close());
  for (const one of [...wrong, ...unexplained].slice(0, 40)) console.error(one);
  console.log(`wrong: ${wrong.length}, failed without a fault: ${unexplained.length}`);
  if (wrong.length + unexplained.length === 0) return removeFolder(folder);
  console.error(`The data directory is kept: ${folder}`);
  process.exitCode = 1;
}

export const program = new OpsCommand('npm run soak --')
  .description(
    'Run the example product beside a local stack, and edit the same contacts from both sides, with faults and kills. It fails when ' +
      'something is lost, is there twice or fails without a fault. Ctrl-C ends the edits, and verifies what was done',
  )
  .option('--minutes <minutes>', 'how long the edits last', parseNumber, 60)
  .option('--rate <edits>', 'edits in a second', parseNumber, 20)
  .option('--seed <number>', 'decides the edits and the faults; by default a random one', parseNumber)
  .action(run);

if (import.meta.main) await program.main();
