import { endOnSignals } from './process/signals.ts';

// npm start

// Before anything else is loaded, which takes longer than most people wait for a Ctrl-C.
const ending = import.meta.main ? endOnSignals() : undefined;
const { startCommand } = await import('./process/options.ts');

export const program = startCommand(async (options) => {
  const { run } = await import('./process/run.ts');
  await run(ending ?? endOnSignals(), options);
});

if (import.meta.main) await program.main();
