import { runIndex, runWebhooks } from '../simulation/simulated.ts';
import { type Report, rounded } from './report/report.ts';
import { quantile } from './report/statistics.ts';

const seeds = [1, 2, 3];

const webhookLoad = { perSecond: 10, seconds: 60, blipEvery: 50 };
const bad = { healthy: 5, bad: 10 };
const indexLoad = { perSecond: 15, seconds: 12, tags: 50 };

interface Row {
  name: string;
  of: string;
  /** The times of each run, in milliseconds. */
  runs: number[][];
  gapMs?: number;
}

/** In virtual time: how a healthy receiver fares beside bad ones of its account, and an account beside one that writes very many items of the index. */
export async function fairness(): Promise<Report> {
  const rows = [
    await receiver('a receiver, alone'),
    await receiver('beside 5 healthy ones and 10 that hang, fail or refuse', bad),
    await receiver('the same, of which all were quick until then', { ...bad, wereQuick: true }),
    ...(await account('an account, alone', 0)),
    ...(await account('beside 25,000 items of the index a second of another one', 5)),
  ];
  const worst = ({ runs }: Row) => Math.max(...runs.map((times) => quantile(times, 0.99)));
  return {
    title: 'Who waits for whom, in virtual time',
    columns: ['Load', 'Time until', 'Events', 'p50 ms', 'p99 ms', 'Slowest', 'p99 : alone', 'Longest gap ms'],
    rows: rows.map((row) => {
      const times = row.runs.flat();
      const alone = rows.find(({ of }) => of === row.of) as Row;
      return [
        row.name,
        row.of,
        times.length,
        rounded(quantile(times, 0.5)),
        rounded(worst(row)),
        rounded(Math.max(...times)),
        row === alone ? '' : rounded(worst(row) / worst(alone)),
        row.gapMs === undefined ? '' : rounded(row.gapMs),
      ];
    }),
    notes: [`Runs with the random numbers ${seeds.join(', ')}. The p99 is that of the slowest run.`],
    raw: rows,
  };
}

async function receiver(name: string, beside?: typeof bad & { wereQuick?: boolean }): Promise<Row> {
  const load = beside ? { ...webhookLoad, beside } : webhookLoad;
  const results = await Promise.all(seeds.map((seed) => runWebhooks({ ...load, seed })));
  for (const { lost, duplicates } of results)
    if (lost + duplicates > 0) throw new Error(`${name}: ${lost} lost, ${duplicates} twice`);
  return {
    name,
    of: 'the webhook',
    runs: results.map(({ arrivals }) => arrivals.map(({ ms }) => ms)),
    gapMs: Math.max(...results.map(({ longestGapMs }) => longestGapMs)),
  };
}

async function account(name: string, batches: number): Promise<Row[]> {
  const results = await Promise.all(seeds.map((seed) => runIndex({ ...indexLoad, batches, seed })));
  return [
    { name, of: 'the feed', runs: results.map(({ feed }) => feed) },
    { name, of: 'the filter', runs: results.map(({ filter }) => filter) },
  ];
}
