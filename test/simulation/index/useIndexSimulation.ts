import { replaceModules } from '../replaceModules.ts';

// Must be imported before anything of lib: it gives lib the clock of the simulation.

replaceModules({
  'node:timers/promises': new URL('../timers.ts', import.meta.url),
  'lib/logs/log.ts': new URL('../../exploration/replaced/log.ts', import.meta.url),
});

process.env.RECORDS_TABLE = 'simulated';
process.env.INDEX_TABLE = 'simulated';
process.env.DEFERRED_INDEX_QUEUE_URL = 'https://sqs.example/deferred';
process.env.METRICS_NAMESPACE = 'simulated';
process.env.ID_KEY = 'simulated'.repeat(8);
process.env.AWS_REGION = 'local-1';
