import { connect } from '../../infra/ops/connection.ts';
import { likeTheStack } from '../support/likeTheStack.ts';
import {
  removeFolder,
  type StackProcess,
  startStackProcess,
  temporaryFolder,
} from '../support/stackProcess.ts';
import { cost } from './cost.ts';
import { creators } from './creators.ts';
import { imports } from './imports.ts';
import { offsets } from './offsets.ts';
import { markdown, type Report, save } from './report.ts';
import { requests } from './requests.ts';
import { webhooks } from './webhooks.ts';

// npm run bench -- [name …]

/** In the order in which they run: what leaves a million records behind comes last. */
const benches: Record<string, (stack: StackProcess) => Promise<Report>> = {
  requests,
  creators,
  webhooks,
  cost,
  import: imports,
  offsets,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}`);
  process.exit(1);
}

const folder = temporaryFolder();
const stack = await startStackProcess(folder);
const cleanUp = async () => {
  await stack.stop();
  removeFolder(folder);
};
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void cleanUp().finally(() => process.exit(130)));
try {
  await connect({ data: folder });
  likeTheStack(stack.running);
  for (const name of asked.length > 0 ? asked : Object.keys(benches)) {
    const report = await (benches[name] as (stack: StackProcess) => Promise<Report>)(stack);
    console.log(markdown(report));
    console.log(`All of it: ${save(name, report)}\n`);
  }
} finally {
  await cleanUp();
}
