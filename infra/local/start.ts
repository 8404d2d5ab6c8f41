import { openDemo } from '../ops/demo.ts';
import { banner, readyLine } from './banner.ts';
import { parseOptions } from './options.ts';
import { startStack } from './stack.ts';
import { StartError } from './startError.ts';

// npm start

const options = parseOptions(process.argv.slice(2));
try {
  const stack = await startStack(options);
  const demo = await openDemo(stack.dataFolder);
  const end = () => void stack.stop().then(() => process.exit(0));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
  console.log(options.json ? readyLine(stack.running.url, demo) : banner(stack, demo));
  console.error(await stack.broken);
  process.exit(1);
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}
