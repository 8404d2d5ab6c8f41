import './useSimulation.ts';
import { parseArgs } from 'node:util';
import { quantile } from '../bench/report/statistics.ts';
import type { Load, Result } from './race.ts';
import { useVirtualTime } from './virtualTime.ts';

// npm run simulate: many create in one account at once. The real code of lib/records runs in virtual time, with a database in
// memory that has the latencies, the conflicts and the limits of DynamoDB. It ends with an error when a record is missing, is there
// twice, or leaves a hole.

const { race } = await import('./race.ts');
useVirtualTime();

const { values } = parseArgs({
  options: {
    /** Several counts of writers, with commas. */
    writers: { type: 'string', default: '1,2,4,10,50,200' },
    seconds: { type: 'string', default: '6' },
    /** aws, or the milliseconds of every call. */
    distance: { type: 'string', default: 'aws' },
    /** Milliseconds between two creates of a writer. */
    think: { type: 'string', default: '0' },
    /** The part of creates that die at one of their calls. */
    deaths: { type: 'string', default: '0' },
    /** Processes that append bulks of 100. */
    bulks: { type: 'string', default: '0' },
    /** How many runs, each with another seed. */
    seeds: { type: 'string', default: '1' },
    'external-ids': { type: 'boolean', default: false },
  },
});

const columns: Record<string, (load: Load, result: Result) => number | string> = {
  writers: ({ writers }) => writers,
  'creates/s': (_, { times, ms }) => rate(times.length, ms),
  'p50 ms': (_, { times }) => Math.round(quantile(times, 0.5)),
  'p99 ms': (_, { times }) => Math.round(quantile(times, 0.99)),
  'in bulks/s': (_, { bulked, ms }) => rate(bulked, ms),
  died: (_, { died }) => died,
  failed: (_, { failures }) => failures.length,
  'calls each': (_, result) => each(result.usage.callCount, result),
  'write units': (_, result) => each(result.usage.writeUnits, result),
  'read units': (_, result) => each(result.usage.readUnits, result),
  throttled: (_, { usage }) => usage.throttled,
  'most write units/s of a partition': (_, { usage }) => usage.busiest.write,
  'most read units/s of a partition': (_, { usage }) => usage.busiest.read,
};

const rate = (count: number, ms: number): number => Math.round((1000 * count) / ms);
const each = (count: number, { times, bulked }: Result): string =>
  (count / Math.max(1, times.length + bulked)).toFixed(1);

const loads = values.writers.split(',').flatMap((writers) =>
  Array.from(
    { length: Number(values.seeds) },
    (_, i): Load => ({
      writers: Number(writers),
      seed: i + 1,
      seconds: Number(values.seconds),
      distance: values.distance === 'aws' ? 'aws' : Number(values.distance),
      thinkMs: Number(values.think),
      deaths: Number(values.deaths),
      bulks: Number(values.bulks),
      externalIds: values['external-ids'],
    }),
  ),
);

console.log(Object.keys(columns).join(' | '));
for (const load of loads) {
  const result = await race(load);
  console.log(
    Object.values(columns)
      .map((of) => of(load, result))
      .join(' | '),
  );
  for (const failure of new Set(result.failures)) console.log(`  ${failure}`);
  if (result.failures.length > 0) process.exitCode = 1;
}
