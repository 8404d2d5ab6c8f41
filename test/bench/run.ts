import { connect } from '../../infra/ops/connection.ts';
import { removeFolder, startStackProcess, temporaryFolder } from '../support/stackProcess.ts';
import { creators } from './creators.ts';
import { markdown, type Report, save } from './report.ts';

// npm run bench -- [name …]

const benches: Record<string, () => Promise<Report>> = { creators };

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}`);
  process.exit(1);
}

const folder = temporaryFolder();
const stack = await startStackProcess(folder);
try {
  await connect({ data: folder });
  for (const name of asked.length > 0 ? asked : Object.keys(benches)) {
    const report = await (benches[name] as () => Promise<Report>)();
    console.log(markdown(report));
    console.log(`All of it: ${save(name, report)}\n`);
  }
} finally {
  await stack.stop();
  removeFolder(folder);
}
