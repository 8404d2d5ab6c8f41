import { reasonOf } from '../../local/process/startError.ts';
import { ignoreShell } from '../../local/shell.ts';
import { currentTemplate } from '../../local/template/assembly.ts';
import { progressReporter } from '../../terminal/progress.ts';
import type { Shutdown } from '../../terminal/signals.ts';
import { banner, readyLine } from './banner.ts';
import type { Options } from './options.ts';

export async function run(shutdown: Shutdown, options: Options): Promise<void> {
  // Files contain personal data and API keys, so other users of the machine must not read them.
  process.umask(0o077);
  ignoreShell();
  const progress = progressReporter(process.stderr);
  try {
    // Another process creates the template. That takes longer than loading the modules below, so both happen at once.
    const template = currentTemplate(progress.report);
    template.catch(() => {});
    const [{ startStack }, { demoLink, openDemo }] = await Promise.all([
      import('../../local/stack.ts'),
      import('../demo/demo.ts'),
    ]);
    const stack = await startStack(options, template, progress.report);
    shutdown.onShutdown(async () => {
      progress.end();
      await stack.stop();
      if (process.stderr.isTTY) console.error('\nStopped; keys and data are kept.');
    });
    const demo = await openDemo(stack.dataFolder, progress.report);
    await stack.deploy();
    if (shutdown.hasBegun()) return;
    const link = await demoLink(stack.dataFolder);
    if (shutdown.hasBegun()) return;
    progress.end();
    console.log(options.json ? readyLine(stack.description.url, demo, link) : banner(stack, demo, link));
    shutdown.onReady();
    console.error(await stack.broken);
    process.exit(1);
  } catch (error) {
    // An error during the shutdown is a consequence of it.
    if (shutdown.hasBegun()) return;
    progress.end();
    console.error(reasonOf(error));
    process.exit(1);
  }
}
