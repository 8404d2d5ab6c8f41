import { shutDownOnSignals } from './process/signals.ts';

// npm start

// Before anything else is loaded, which takes longer than most people wait for a Ctrl-C.
const shutdown = import.meta.main ? shutDownOnSignals() : undefined;
const { startCommand } = await import('./process/options.ts');

export const program = startCommand(async (options) => {
  const { run } = await import('./process/run.ts');
  await run(shutdown ?? shutDownOnSignals(), options);
});

if (import.meta.main) await program.main();
