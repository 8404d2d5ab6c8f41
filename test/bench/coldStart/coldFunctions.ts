import { statSync } from 'node:fs';
import { loadavg } from 'node:os';
import { interleaved } from '../report/interleaved.ts';
import { type Report, rounded } from '../report/report.ts';
import { median } from '../report/statistics.ts';
import { type Start, type Surroundings, startCold } from './coldProcess.ts';
import { of, rounds } from './coldStart.ts';
import { withDemoDatabase } from './demoDatabase.ts';
import { type Call, requestCalls, variablesOf, webhookCalls } from './functions.ts';

/** Functions that one event starts, one after the other. */
type Chain = readonly [Call, ...Call[]];

/** The time of a cold request, which waits for two cold functions, and of the functions of webhooks. */
export async function coldFunctions(folder: string): Promise<Report> {
  return withDemoDatabase(folder, async (database) => {
    const request = await requestCalls(database);
    const chains: Chain[] = [...request, ...(await webhookCalls())].map((call): Chain => [call]);
    chains.splice(request.length, 0, request);
    return measure(chains, { port: database.port, variables: variablesOf(database) });
  });
}

async function measure(chains: readonly Chain[], surroundings: Surroundings): Promise<Report> {
  const take = (index: number) => startAll(chains[index] as Chain, surroundings);
  const starts = await interleaved(chains.length, rounds, take);
  return {
    title: 'Cold starts of functions',
    columns: ['Function', 'KB', 'Boot ms', 'Load ms', 'First call ms', 'All ms', 'CPU ms'],
    rows: chains.map((chain, i) => [
      chain.map(({ name }) => name).join(', then '),
      rounded(chain.reduce((bytes, { file }) => bytes + statSync(file).size, 0) / 1024),
      ...parts.map((part) => rounded(median(of(starts[i] as Start[], part)))),
    ]),
    notes: [
      `Medians of ${rounds} interleaved rounds, at a load of ${rounded(loadavg()[0] as number)} in the last minute. Two functions one ` +
        'after the other are two new processes, whose times are added. fanOutChanges finds no subscriptions, and deliverWebhook no delivery.',
    ],
    raw: chains.map((chain, i) => ({ names: chain.map(({ name }) => name), starts: starts[i] })),
  };
}

const parts = ['boot', 'load', 'call', 'all', 'cpu'] as const;

/** @returns the sums of their times */
async function startAll(chain: Chain, surroundings: Surroundings): Promise<Start> {
  const sum: Start = { boot: 0, load: 0, call: 0, all: 0, cpu: 0 };
  for (const call of chain) {
    const { start, answer } = await startCold<never>(call, call.event, surroundings);
    if (!call.isDone(answer)) throw new Error(`${call.name} answers ${JSON.stringify(answer)}`);
    for (const part of parts) sum[part] += start[part];
  }
  return sum;
}
