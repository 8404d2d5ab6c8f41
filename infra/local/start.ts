import { shutDownOnSignals } from './process/signals.ts';

// npm start

// Signals are handled before other modules load: loading takes so long that users press Ctrl-C during it.
const shutdown = import.meta.main ? shutDownOnSignals() : undefined;
const { startCommand } = await import('./process/options.ts');

export const program = startCommand(async (options) => {
  const { run } = await import('./process/run.ts');
  await run(shutdown ?? shutDownOnSignals(), options);
});

if (import.meta.main) await program.main();
