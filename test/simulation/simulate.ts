import './useSimulation.ts';
import { quantile } from '../bench/report/statistics.ts';
import type { Load, Result } from './race.ts';
import type { SimulationOptions } from './run.ts';
import { useVirtualTime } from './virtualTime.ts';

// The command `npm run simulate` (run.ts) starts this in a process of its own, with a clock and a memory of its own: many create in one
// account at once, by the real code of lib/records. It ends with an error when a record is missing, is there twice, or leaves a hole.

const { race } = await import('./race.ts');
useVirtualTime();

const options = JSON.parse(process.argv[2] as string) as SimulationOptions;

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

const loads = options.writers.flatMap((writers) =>
  Array.from({ length: options.seeds }, (_, i): Load => ({ ...options, writers, seed: i + 1 })),
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
