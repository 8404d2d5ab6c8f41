import { replaceModules } from '../replaceModules.ts';

// Must be imported before anything of lib: it gives lib the clock and the receivers of the simulation.

replaceModules({
  'node:timers/promises': new URL('../timers.ts', import.meta.url),
  'lib/logs/log.ts': new URL('../../exploration/replaced/log.ts', import.meta.url),
  'lib/webhooks/sending/sendSigned.ts': new URL('./sendSigned.ts', import.meta.url),
});

process.env.WEBHOOKS_TABLE = 'simulated';
process.env.QUICK_DELIVERIES_QUEUE_URL = 'https://sqs.example/quick';
process.env.SLOW_DELIVERIES_QUEUE_URL = 'https://sqs.example/slow';
process.env.DEFERRED_FAN_OUT_QUEUE_URL = 'https://sqs.example/deferred';
process.env.METRICS_NAMESPACE = 'simulated';
process.env.ID_KEY = 'simulated'.repeat(8);
process.env.AWS_REGION = 'local-1';
