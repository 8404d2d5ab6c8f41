import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { shutDownOnSignals } from '../../terminal/signals.ts';

// npm start

// Signals are handled before other modules load, because loading takes so long that users press Ctrl-C during it.
const shutdown = import.meta.main ? shutDownOnSignals() : undefined;
// Later starts use less CPU time to load their modules.
if (import.meta.main) enableCompileCache(join(import.meta.dirname, '..', '..', '..', 'build', 'compiled'));
const { startCommand } = await import('./options.ts');

export const program = startCommand(async (options) => {
  const { run } = await import('./run.ts');
  await run(shutdown ?? shutDownOnSignals(), options);
});

if (import.meta.main) await program.main();
