import { type Edit, editModules } from '../exploration/engine/edits.ts';
import { replaceModules } from './replaceModules.ts';
import { useVirtualTime } from './virtualTime.ts';

// Runs in a process of its own, with a clock and a memory of its own: the real code of lib, in virtual time. It prints the result of a
// simulation as JSON: simulate.ts [its name] [its argument, as JSON]

// Before anything of lib is loaded.
replaceModules({
  'node:timers/promises': new URL('./timers.ts', import.meta.url),
  'lib/logs/log.ts': new URL('../exploration/replaced/log.ts', import.meta.url),
  'lib/records/collectionMap.ts': new URL('../support/data/separateMemory.ts', import.meta.url),
  'lib/webhooks/sending/send.ts': new URL('./webhooks/sendSigned.ts', import.meta.url),
});
for (const name of ['WEBHOOKS', 'KEYS', 'RECORDS', 'INDEX', 'ACTIVITY'])
  process.env[`${name}_TABLE`] = 'simulated';
process.env.RECORDS_OUTBOX_URL = 'https://sqs.example/outbox';
process.env.OUTBOX_CHANGES = 'all';
process.env.QUICK_DELIVERIES_QUEUE_URL = 'https://sqs.example/quick';
process.env.SLOW_DELIVERIES_QUEUE_URL = 'https://sqs.example/slow';
process.env.DEFERRED_FAN_OUT_QUEUE_URL = 'https://sqs.example/deferred';
process.env.DEFERRED_INDEX_QUEUE_URL = 'https://sqs.example/deferred';
process.env.METRICS_NAMESPACE = 'simulated';
process.env.ID_KEY = 'simulated'.repeat(8);
process.env.AWS_REGION = 'local-1';

const simulations = {
  creates: async () => (await import('./race.ts')).race,
  index: async () => (await import('./index/fairness.ts')).measureFairness,
  webhooks: async () => (await import('./webhooks/fairness.ts')).measureFairness,
  outage: async () => (await import('./webhooks/outages.ts')).simulateOutage,
  identity: async () => (await import('./identity/histories.ts')).runHistories,
  histories: async () => (await import('./webhooks/histories.ts')).runHistories,
  redactions: async () => (await import('./webhooks/redactions.ts')).measureRedactions,
  deletions: async () => (await import('./webhooks/deletions.ts')).runDeletions,
};

const [, , name, argument = '{}'] = process.argv;
/** Guards of the code that are taken out. */
const { edits = [] } = JSON.parse(argument) as { edits?: Edit[] };
editModules(edits);
const simulation = await simulations[name as keyof typeof simulations]();
useVirtualTime();
console.log(JSON.stringify(await simulation(JSON.parse(argument) as never)));
