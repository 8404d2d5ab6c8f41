import { openDemo } from '../ops/demo.ts';
import { banner, readyLine } from './banner.ts';
import { type Options, startCommand } from './options.ts';
import { endOnSignals } from './signals.ts';
import { startStack } from './stack.ts';
import { reasonOf } from './startError.ts';

// npm start

export const program = startCommand(start);

async function start(options: Options): Promise<void> {
  // What is kept is data of people, and keys: for whoever started this and nobody else.
  process.umask(0o077);
  try {
    const stack = await startStack(options);
    const demo = await openDemo(stack.dataFolder);
    endOnSignals(() => stack.stop());
    console.log(options.json ? readyLine(stack.running.url, demo) : banner(stack, demo));
    console.error(await stack.broken);
  } catch (error) {
    console.error(reasonOf(error));
  }
  process.exit(1);
}

if (import.meta.main) await program.main();
