import { openDemo } from '../ops/demo.ts';
import { banner, readyLine } from './banner.ts';
import { parseOptions } from './options.ts';
import { endOnSignals } from './signals.ts';
import { startStack } from './stack.ts';
import { reasonOf } from './startError.ts';

// npm start

// Whoever reads what we print may leave before us: npm start | head -1
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});

// What is kept is data of people, and keys: for whoever started this and nobody else.
process.umask(0o077);

const options = parseOptions(process.argv.slice(2));
try {
  const stack = await startStack(options);
  const demo = await openDemo(stack.dataFolder);
  endOnSignals(() => stack.stop());
  console.log(options.json ? readyLine(stack.running.url, demo) : banner(stack, demo));
  console.error(await stack.broken);
  process.exit(1);
} catch (error) {
  console.error(reasonOf(error));
  process.exit(1);
}
