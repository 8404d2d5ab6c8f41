import type { Load, Result } from '../simulation/race.ts';
import { runCreates } from '../simulation/simulated.ts';
import { type Report, rounded } from './report/report.ts';
import { quantile } from './report/statistics.ts';

const steadily = {
  seconds: 6,
  externalIds: false,
  deaths: 0,
  bulks: 0,
  deletions: 0,
  seed: 1,
} as const;

const loads: [name: string, load: Load][] = [
  ...[1, 10, 50, 200].map((writers): [string, Load] => [
    `${writers}, without pause`,
    { ...steadily, writers },
  ]),
  ...[
    [1, 1],
    [1, 3],
    [1, 10],
    [200, 3],
  ].map(([writers = 0, bulks = 0]): [string, Load] => [
    `${writers}, with ${bulks} bulk writers (100 each)`,
    { ...steadily, writers, bulks },
  ]),
  ['20, beside 20 deletions a second', { ...steadily, writers: 20, deletions: 20 }],
  [
    '12, and 6 with bulks, of which 40 % die at a call',
    { ...steadily, writers: 12, bulks: 6, deaths: 0.4, externalIds: true },
  ],
];

/** Many who create in one account at once, in virtual time, with a database in memory that has the latencies, the conflicts and the limits of DynamoDB. */
export async function creates(): Promise<Report> {
  const results: Result[] = [];
  for (const [, load] of loads) results.push(await runCreates(load));
  return {
    title: 'Creates at once, in virtual time',
    columns: [
      'Writers',
      'Creates per second',
      'In bulks',
      'p50 ms',
      'p99 ms',
      'p99 of deletions',
      'Calls each',
      'Write units each',
      'Died',
      'Failed',
      'Throttled',
      'Write units',
      'Read units',
    ],
    rows: results.map(({ times, deletionTimes, bulked, ms, died, failures, usage }, i) => {
      const each = (count: number) => rounded(count / Math.max(1, times.length + bulked));
      return [
        loads[i]?.[0] as string,
        rounded((1000 * times.length) / ms),
        rounded((1000 * bulked) / ms),
        rounded(quantile(times, 0.5)),
        rounded(quantile(times, 0.99)),
        deletionTimes.length > 0 ? rounded(quantile(deletionTimes, 0.99)) : '',
        each(usage.callCount),
        each(usage.writeUnits),
        died,
        failures.length,
        usage.throttled,
        usage.busiest.write,
        usage.busiest.read,
      ];
    }),
    notes: [
      'The real code of lib/records, with a memory for each writer. No record was missing or there twice, and no position was empty. The ' +
        'two last columns are the most units of one partition in a second.',
    ],
    raw: results,
  };
}
