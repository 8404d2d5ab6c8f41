import { replaceModules } from '../replaceModules.ts';
import { useVirtualTime } from '../virtualTime.ts';

// Runs in a process of its own, with a clock of its own: the real functions of the webhook pipeline, in virtual time. It prints the result
// of a simulation as JSON: simulate.ts [fairness, outage or histories] [its argument, as JSON]

replaceModules({
  'node:timers/promises': new URL('../timers.ts', import.meta.url),
  'lib/logs/log.ts': new URL('../../exploration/replaced/log.ts', import.meta.url),
  'lib/webhooks/sending/sendSigned.ts': new URL('./sendSigned.ts', import.meta.url),
});

for (const name of ['WEBHOOKS', 'KEYS', 'RECORDS', 'INDEX', 'ACTIVITY'])
  process.env[`${name}_TABLE`] = 'simulated';
process.env.QUICK_DELIVERIES_QUEUE_URL = 'https://sqs.example/quick';
process.env.SLOW_DELIVERIES_QUEUE_URL = 'https://sqs.example/slow';
process.env.DEFERRED_FAN_OUT_QUEUE_URL = 'https://sqs.example/deferred';
process.env.METRICS_NAMESPACE = 'simulated';
process.env.ID_KEY = 'simulated'.repeat(8);
process.env.AWS_REGION = 'local-1';

const simulations = {
  fairness: (await import('./fairness.ts')).measureFairness,
  outage: (await import('./outages.ts')).simulateOutage,
  histories: (await import('./histories.ts')).runHistories,
};
useVirtualTime();

const [, , name, argument] = process.argv;
const simulation = simulations[name as keyof typeof simulations];
console.log(JSON.stringify(await simulation(JSON.parse(argument as string) as never)));
