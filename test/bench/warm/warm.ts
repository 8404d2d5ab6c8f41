import { mkdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { assertSame, type NamedAnswer } from '../handlers/sameAnswer.ts';
import { interleaved } from '../report/interleaved.ts';
import { type Report, rounded } from '../report/report.ts';
import { median, ratio } from '../report/statistics.ts';
import { deployed, type Entry, own, withoutFramework, withPreparedPage } from './warmHandlers.ts';
import { openWarm, type WarmProcess } from './warmProcess.ts';
import { allKinds, dynamodbAnswers, invalid, valid } from './warmRequests.ts';

const rounds = 101;
const callsPerRound = 200;

/** After this many calls V8 has compiled the hot code. */
const warmUpCalls = 5000;

const entries = [withoutFramework, own];

/** A request to every handler, and the times of each in microseconds: the median of each round. */
interface Race {
  name: string;
  took: number[][];
}

/** The time of a request in a warm Lambda, compared with a handler without a framework. */
export async function warm(folder: string): Promise<Report> {
  mkdirSync(folder);
  return report([
    ...(await race(folder, await withPreparedPage(entries, folder), { 'a prepared page': valid })),
    ...(await race(folder, await deployed(entries, folder), {
      'a list from DynamoDB': valid,
      'a bad request': invalid,
    })),
  ]);
}

async function race(
  folder: string,
  files: readonly string[],
  requests: Record<string, string>,
): Promise<Race[]> {
  const processes = files.map((file) => openWarm(file, dynamodbAnswers, join(folder, 'log')));
  try {
    await assertAllSame(entries, processes);
    const races: Race[] = [];
    for (const [name, event] of Object.entries(requests)) {
      for (const process of processes) await process.ask({ event, calls: warmUpCalls });
      const took = await interleaved(processes.length, rounds, async (index) => {
        const { microseconds } = await (processes[index] as WarmProcess).ask({ event, calls: callsPerRound });
        return median(microseconds);
      });
      races.push({ name, took });
    }
    return races;
  } finally {
    await Promise.all(processes.map((process) => process.close()));
  }
}

/** @throws Error when handlers answer one request in different ways */
async function assertAllSame(entries: readonly Entry[], processes: readonly WarmProcess[]): Promise<void> {
  for (const event of allKinds) {
    const answers: NamedAnswer[] = [];
    for (const [i, process] of processes.entries())
      answers.push({
        name: (entries[i] as Entry).name,
        answer: (await process.ask({ event, calls: 1 })).answer,
      });
    assertSame(answers as [NamedAnswer, ...NamedAnswer[]]);
  }
}

function report(races: readonly Race[]): Report {
  const timesOf = ({ took }: Race, entry: Entry) => took[entries.indexOf(entry)] as number[];
  return {
    title: 'A warm request',
    columns: ['Handler', ...races.flatMap(({ name }) => [`${name}, µs`, 'over none', 'listContacts : this'])],
    rows: entries.map((entry) => [
      entry.name,
      ...races.flatMap((race) => {
        const these = timesOf(race, entry);
        return [
          rounded(median(these)),
          rounded(median(these) - median(timesOf(race, withoutFramework))),
          entry === own ? '' : ratio(timesOf(race, own), these),
        ];
      }),
    ]),
    notes: [
      `Medians of ${rounds} interleaved rounds of ${callsPerRound} calls, and in brackets the interval of 95 % of each ratio. Every handler ` +
        'has a process of its own, is bundled like ours, reads the same contacts, checks scope, limit and offset, and answers the same; ' +
        'listContacts also writes its line of the log, and the headers of the contract. A stub below the SDK answers for DynamoDB, at once. ' +
        `The load of the machine in the last minute was ${rounded(loadavg()[0] as number)}.`,
    ],
    raw: races.map(({ name, took }) => ({
      name,
      took: Object.fromEntries(entries.map((entry, i) => [entry.name, took[i]])),
    })),
  };
}
