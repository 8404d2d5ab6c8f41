import { replaceModules } from './replaceModules.ts';

// Must be imported before anything of lib: it gives lib a clock and a memory that the simulation decides on.

replaceModules({
  'node:timers/promises': new URL('./timers.ts', import.meta.url),
  'lib/records/collectionMap.ts': new URL('../support/data/separateMemory.ts', import.meta.url),
});

process.env.RECORDS_TABLE = 'simulated';
process.env.ID_KEY = 'simulated'.repeat(8);
process.env.AWS_REGION = 'local-1';
