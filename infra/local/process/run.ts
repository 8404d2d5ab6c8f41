import { openDemo } from '../../ops/demo/demo.ts';
import { startStack } from '../stack.ts';
import { banner, readyLine } from './banner.ts';
import type { Options } from './options.ts';
import { progressOn } from './progress.ts';
import type { Ending } from './signals.ts';
import { reasonOf } from './startError.ts';

/** Runs the local stack until the process ends. */
export async function run(ending: Ending, options: Options): Promise<void> {
  // What is kept is data of people, and keys: for whoever started this and nobody else.
  process.umask(0o077);
  const progress = progressOn(process.stderr);
  try {
    const stack = await startStack(options, progress.say);
    ending.by(() => stack.stop());
    const demo = await openDemo(stack.dataFolder, progress.say);
    if (ending.begun()) return;
    progress.end();
    console.log(options.json ? readyLine(stack.running.url, demo) : banner(stack, demo));
    console.error(await stack.broken);
    process.exit(1);
  } catch (error) {
    // What is being stopped may fail for that reason.
    if (ending.begun()) return;
    progress.end();
    console.error(reasonOf(error));
    process.exit(1);
  }
}
