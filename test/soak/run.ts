import { randomInt } from 'node:crypto';
import { InvalidArgumentError } from 'commander';
import { OpsCommand } from '../../infra/terminal/command.ts';
import { onSignals } from '../../infra/terminal/signals.ts';
import { removeFolder, temporaryFolder } from '../support/stack/stackProcess.ts';
import { type SoakOptions, soak } from './soak.ts';

// npm run soak -- [options]

function parseNumber(text: string): number {
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(text)) throw new InvalidArgumentError('Give a number.');
  return Number(text);
}

const minutesPerKill = 20;

type Given = Pick<SoakOptions, 'minutes' | 'rate' | 'memory'> & Partial<SoakOptions>;

async function run(given: Given): Promise<void> {
  const { minutes, rate, seed = randomInt(1_000_000), kills = Math.ceil(minutes / minutesPerKill) } = given;
  const ending = new AbortController();
  onSignals(() => ending.abort());
  const folder = temporaryFolder();
  const options = { ...given, seed, kills };
  console.log(`${minutes} minutes, ${rate} requests a second, ${kills} kills, --seed ${seed}`);
  const wrong = await soak(options, { folder, print: (line) => console.log(line), signal: ending.signal });
  if (wrong === 0) return removeFolder(folder);
  console.error(`The data directory is kept: ${folder}`);
  process.exitCode = 1;
}

export const program = new OpsCommand('npm run soak --')
  .description(
    'Use a local stack of its own from many programs at once, with random faults, and verify id by id what has become of each request. ' +
      'It fails when something is lost, is there twice or fails without a fault. Ctrl-C ends the load, and verifies what was done',
  )
  .option('--minutes <minutes>', 'how long the load lasts', parseNumber, 60)
  .option('--rate <requests>', 'requests in a second', parseNumber, 200)
  .option(
    '--seed <number>',
    'decides the kinds of requests and the times of the faults; by default a random one',
    parseNumber,
  )
  .option('--kills <count>', 'how often the stack is killed; by default every 20 minutes', parseNumber)
  .option('--memory <MB>', 'the most resident memory of the stack', parseNumber, 800)
  .action(run);

if (import.meta.main) await program.main();
