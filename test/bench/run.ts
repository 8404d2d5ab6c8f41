import { join } from 'node:path';
import { Argument } from 'commander';
import { connect } from '../../infra/ops/connection.ts';
import { OpsCommand } from '../../infra/terminal/command.ts';
import { currentDemoData } from '../support/stack/demoData.ts';
import { useStackEnvironment } from '../support/stack/stackEnvironment.ts';
import {
  demoDataFolder,
  removeFolder,
  type StackProcess,
  startStackProcess,
  temporaryFolder,
} from '../support/stack/stackProcess.ts';
import { coldStart } from './coldStart/coldStart.ts';
import { cost } from './cost/cost.ts';
import { creates } from './creates.ts';
import { fairness } from './fairness.ts';
import { filters } from './records/filters.ts';
import { offsets } from './records/offsets.ts';
import { markdown, type Report, save } from './report/report.ts';
import { webhooks } from './webhooks.ts';

// npm run bench -- [name …]

/** Benches without a local stack. They run first, each in a folder of its own, which it makes. */
const alone: Record<string, (folder: string) => Promise<Report>> = {
  'cold-start': coldStart,
  creates,
  fairness,
};

/** Benches on a local stack, in this order: the last two leave a million records behind. */
const onStack: Record<string, (stack: StackProcess) => Promise<Report>> = {
  webhooks,
  cost,
  filters,
  offsets,
};

async function show(name: string, report: Report): Promise<void> {
  console.log(markdown(report));
  console.log(`All figures: ${save(name, report)}`);
  console.log();
}

async function run(names: readonly string[]): Promise<void> {
  const chosen = names.length > 0 ? names : all;
  const folder = temporaryFolder();
  let stack: StackProcess | undefined;
  let demoData: string | undefined;
  const cleanUp = async () => {
    await stack?.stop();
    for (const one of [folder, demoData]) if (one) removeFolder(one);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void cleanUp().finally(() => process.exit(130)));
  try {
    for (const name of chosen) {
      const bench = alone[name];
      if (bench) await show(name, await bench(join(folder, name)));
    }
    const withStack = chosen.filter((name) => name in onStack);
    if (withStack.length > 0) {
      // The demo data of a first start would still be indexed during the first bench.
      demoData = await currentDemoData();
      process.env[demoDataFolder] = demoData;
      stack = await startStackProcess(folder);
      await connect({ data: folder });
      useStackEnvironment(stack.description);
      for (const name of withStack)
        await show(name, await (onStack[name] as (stack: StackProcess) => Promise<Report>)(stack));
    }
  } finally {
    await cleanUp();
  }
}

const all = [...Object.keys(alone), ...Object.keys(onStack)];

export const program = new OpsCommand('npm run bench --')
  .description('Run the named benches, or all')
  .addArgument(new Argument('[names...]', 'the benches').choices(all))
  .action(run);

if (import.meta.main) await program.main();
