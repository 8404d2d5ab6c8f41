import './useWebhookSimulation.ts';
import { useVirtualTime } from '../virtualTime.ts';

// Runs in a process of its own, with a clock of its own: random histories of webhooks. It prints the result of all of them, as JSON.
// simulateHistories.ts [first seed] [how many] [attributes of which each comparison holds]

for (const name of ['KEYS', 'RECORDS', 'INDEX', 'ACTIVITY']) process.env[`${name}_TABLE`] = 'simulated';

const { runHistory } = await import('./histories.ts');
useVirtualTime();

const [, , first = '1', count = '100', ignored = ''] = process.argv;
const found: Record<string, number[]> = {};
const sums = { histories: 0, sends: 0, deaths: 0, events: 0 };
for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
  const { violations, ...counts } = await runHistory(seed, ignored === '' ? [] : ignored.split(','));
  for (const violation of violations) found[violation] = [...(found[violation] ?? []), seed];
  sums.histories += 1;
  for (const name of ['sends', 'deaths', 'events'] as const) sums[name] += counts[name];
}
console.log(JSON.stringify({ ...sums, found }));
