import { endOnSignals } from './signals.ts';

// npm start

// Before anything else is loaded, which takes longer than most people wait for a Ctrl-C.
const ending = endOnSignals();
const { run } = await import('./run.ts');
await run(ending, process.argv.slice(2));
