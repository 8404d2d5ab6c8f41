import { join } from 'node:path';
import { connect } from '../../infra/ops/connection.ts';
import { likeTheStack } from '../support/likeTheStack.ts';
import {
  removeFolder,
  type StackProcess,
  startStackProcess,
  temporaryFolder,
} from '../support/stackProcess.ts';
import { coldStart } from './coldStart.ts';
import { cost } from './cost.ts';
import { creators } from './creators.ts';
import { imports } from './imports.ts';
import { offsets } from './offsets.ts';
import { markdown, type Report, save } from './report.ts';
import { requests } from './requests.ts';
import { warm } from './warm.ts';
import { webhooks } from './webhooks.ts';

// npm run bench -- [name …]

/** Those that run with nothing beside them, in a folder of their own that is not there yet. They come first. */
const alone: Record<string, (folder: string) => Promise<Report>> = { 'cold-start': coldStart, warm };

/** Those of a local stack, in the order in which they run: what leaves a million records behind comes last. */
const onStack: Record<string, (stack: StackProcess) => Promise<Report>> = {
  requests,
  creators,
  webhooks,
  cost,
  import: imports,
  offsets,
};

const all = [...Object.keys(alone), ...Object.keys(onStack)];
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}; there are ${all.join(', ')}`);
  process.exit(1);
}
const chosen = asked.length > 0 ? asked : all;

const show = (name: string, report: Report): void => {
  console.log(markdown(report));
  console.log(`All of it: ${save(name, report)}\n`);
};

const folder = temporaryFolder();
let stack: StackProcess | undefined;
const cleanUp = async () => {
  await stack?.stop();
  removeFolder(folder);
};
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void cleanUp().finally(() => process.exit(130)));
try {
  for (const name of chosen) {
    const bench = alone[name];
    if (bench) show(name, await bench(join(folder, name)));
  }
  const withStack = chosen.filter((name) => name in onStack);
  if (withStack.length > 0) {
    stack = await startStackProcess(folder);
    await connect({ data: folder });
    likeTheStack(stack.running);
    for (const name of withStack)
      show(name, await (onStack[name] as (stack: StackProcess) => Promise<Report>)(stack));
  }
} finally {
  await cleanUp();
}
