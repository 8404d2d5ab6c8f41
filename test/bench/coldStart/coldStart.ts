import { mkdirSync, statSync } from 'node:fs';
import { loadavg } from 'node:os';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { env } from '../../../lib/env.ts';
import { listContacts } from '../../../lib/resources/contacts.ts';
import { fullAccess, gatewayEvent } from '../../support/http/events.ts';
import { interleaved } from '../report/interleaved.ts';
import { type Report, rounded } from '../report/report.ts';
import { median, ratio } from '../report/statistics.ts';
import { coldHandlers, type Handler } from './coldHandlers.ts';
import { type Start, type Surroundings, startCold } from './coldProcess.ts';
import { withDemoDatabase } from './demoDatabase.ts';

const rounds = 101;

/** Asks for the first page of contacts. */
const listEvent = (account: string) =>
  gatewayEvent(listContacts, fullAccess(account), { query: { limit: 25 } });

/** The time from the start of a process to the answer of a list, compared with handlers that only list contacts. */
export async function coldStart(folder: string): Promise<Report> {
  mkdirSync(folder);
  const handlers = await coldHandlers(folder);
  return withDemoDatabase(folder, ({ ready, description, port }) =>
    measure(handlers, listEvent(ready.account), {
      port,
      variables: { [env.recordsTable]: description.recordsTable },
    }),
  );
}

async function measure(
  handlers: readonly Handler[],
  event: object,
  surroundings: Surroundings,
): Promise<Report> {
  const start = (handler: Handler) => startCold<APIGatewayProxyResult>(handler, event, surroundings);
  for (const handler of handlers) {
    const { statusCode, body } = (await start(handler)).answer;
    if (statusCode !== 200 || JSON.parse(body).data.length !== 25)
      throw new Error(`${handler.name} answers ${statusCode}: ${body}`);
  }
  const starts = await interleaved(
    handlers.length,
    rounds,
    async (index) => (await start(handlers[index] as Handler)).start,
  );
  const [own = []] = starts;
  return {
    title: 'Cold start of a list of 25 contacts',
    columns: [
      'Handler',
      'KB',
      'Boot ms',
      'Load ms',
      'First call ms',
      'All ms',
      'listContacts : this',
      'CPU ms',
      'listContacts : this',
    ],
    rows: handlers.map(({ name, file }, i) => {
      const these = starts[i] as Start[];
      const ratioOf = (part: keyof Start) => (i === 0 ? '' : ratio(of(own, part), of(these, part)));
      const medianOf = (part: keyof Start) => rounded(median(of(these, part)));
      return [
        name,
        rounded(statSync(file).size / 1024),
        medianOf('boot'),
        medianOf('load'),
        medianOf('call'),
        medianOf('all'),
        ratioOf('all'),
        medianOf('cpu'),
        ratioOf('cpu'),
      ];
    }),
    notes: [
      `Medians of ${rounds} interleaved rounds, and in brackets the interval of 95 % of each ratio. Every start is a new process, whose ` +
        'calls go over TLS to the embedded database under the name of the real one. The load of the machine ' +
        `in the last minute was ${rounded(loadavg()[0] as number)}.`,
    ],
    raw: handlers.map(({ name }, i) => ({ name, starts: starts[i] })),
  };
}

const of = (starts: readonly Start[], part: keyof Start): number[] => starts.map((start) => start[part]);
