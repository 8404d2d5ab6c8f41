import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { connect } from '../../../infra/ops/connection.ts';
import { importLines, importOutcomes } from '../../../infra/ops/lines/importLines.ts';
import { LineReport } from '../../../infra/ops/lines/lineReport.ts';
import { RefusedFile } from '../../../infra/ops/lines/refusedFile.ts';
import { Progress } from '../../../infra/ops/progress.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { env, required } from '../../../lib/env.ts';
import { createRecord } from '../../../lib/records/create/create.ts';
import { recordKey } from '../../../lib/records/keys.ts';
import { listRecords } from '../../../lib/records/list.ts';
import { byProduct } from '../../../lib/records/origin.ts';
import { contacts } from '../../../lib/resources/contacts/record.ts';
import { givenAccount } from '../../support/data/given.ts';
import { root, type StackProcess, scriptCommand } from '../../support/stack/stackProcess.ts';
import { distances } from '../load/databaseDistance.ts';
import { untilIndexed } from '../load/indexed.ts';
import { inWords, measureUnderLoad } from '../load/latencyUnderLoad.ts';
import { contactAt, sizeFrom } from '../load/manyContacts.ts';
import { type Report, rounded } from '../report/report.ts';
import { median, timed } from '../report/statistics.ts';

const rounds = 7;

const entryAt = (i: number) => ({ ...contactAt(i), external_id: `crm-${i}` });
const lineAt = (i: number): string => `${JSON.stringify(entryAt(i))}\n`;

/** A way to store many records, and how many give a reliable rate. */
interface Way {
  name: string;
  count: number;
  store(account: string, from: number, count: number, folder: string): Promise<void>;
}

const ways: Way[] = [
  {
    name: 'import',
    count: 1960,
    store: async (account, from, count, folder) => {
      const lines = Array.from({ length: count }, (_, i) => lineAt(from + i));
      const refused = new RefusedFile(join(folder, 'none.refused.ndjson'), statSync(folder));
      const report = new LineReport(importOutcomes, new Progress('lines'), refused);
      const chunks = Readable.from([Buffer.from(lines.join(''))]);
      await importLines({ resource: 'contacts', account, chunks, report });
      if (report.counts.created !== count) throw new Error(JSON.stringify(report.counts));
    },
  },
  {
    name: 'createRecord, one by one',
    count: 200,
    store: async (account, from, count) => {
      for (let i = from; i < from + count; i++)
        await createRecord(contacts, account, entryAt(i), { deadline: Date.now() + 9000, origin: byProduct });
    },
  },
  {
    name: 'bare PutItem, one by one',
    count: 200,
    store: async (account, from, count) => {
      const TableName = required(env.recordsTable);
      const ref = { account: `${account}#bare`, type: contacts.type };
      for (let i = from; i < from + count; i++)
        await dynamodb().send(new PutCommand({ TableName, Item: { ...recordKey(ref, i), ...entryAt(i) } }));
    },
  },
];

/** Compares the rate of the import with one write per record, and measures the import of a large file. */
export async function imports({ folder }: StackProcess): Promise<Report> {
  const results = [];
  for (const { name, begin } of distances) {
    const undo = begin();
    try {
      results.push({ distance: name, ways: await race(folder) });
    } finally {
      undo();
    }
  }
  const long = await importFile(folder, sizeFrom('BENCH_LINES', 100_000));
  return {
    title: 'Importing contacts',
    columns: ['Added to each call', 'Way', 'Records per second', 'Import : this'],
    rows: results.flatMap(({ distance, ways: [imported, ...others] }) =>
      [imported as Rate, ...others].map(({ name, perSecond }) => [
        distance,
        name,
        rounded(perSecond),
        rounded((imported as Rate).perSecond / perSecond),
      ]),
    ),
    notes: [
      `Medians of ${rounds} interleaved rounds, each begun when all before was indexed. A bare PutItem has no position, no total, and nothing keeps its external id from being ` +
        'there twice.',
      `\`npm run import\` of ${long.lines.toLocaleString('en')} lines: ${rounded(long.seconds)} s, ${rounded(long.lines / long.seconds)} a second, ` +
        `${long.total.toLocaleString('en')} contacts; ${long.memoryMb.join(', ')} MB of memory after a quarter, a half and at the end.`,
      `While it ran, in another account: ${inWords(long.used)}.`,
    ],
    raw: { raced: results, long },
  };
}

interface Rate {
  name: string;
  perSecond: number;
  rates: number[];
}

async function race(folder: string): Promise<Rate[]> {
  const account = givenAccount();
  const rates = ways.map((): number[] => []);
  let from = 0;
  for (let round = -1; round < rounds; round++)
    for (const [i, { store, count }] of ways.entries()) {
      // Otherwise each way would share the processors with the indexing of the one before.
      await untilIndexed(account, await totalOf(account));
      const { ms } = await timed(() => store(account, from, count, folder));
      from += count;
      if (round >= 0) rates[i]?.push((1000 * count) / ms);
    }
  return ways.map(({ name }, i) => ({
    name,
    perSecond: median(rates[i] as number[]),
    rates: rates[i] as number[],
  }));
}

const totalOf = async (account: string): Promise<number> =>
  (await listRecords(contacts, account, { limit: 1, offset: 0 })).pagination.total;

/** Runs the command on a file and samples its memory. */
async function importFile(folder: string, lines: number) {
  const file = join(folder, 'contacts.ndjson');
  await pipeline(Readable.from(eachLine(lines)), createWriteStream(file));
  const account = givenAccount();
  const [node, ...script] = scriptCommand('import');
  const child = spawn(node, [...script, 'contacts', file, '--account', account, '--data', folder], {
    cwd: root,
  });
  const memory: number[] = [];
  const watch = setInterval(() => memory.push(residentMb(child.pid as number)), 200);
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  const used = await measureUnderLoad(once(child, 'exit'), await connect({ data: folder }));
  clearInterval(watch);
  rmSync(file);
  const seconds = Number(/ lines in ([\d.]+) s: /.exec(output)?.[1]);
  const total = await totalOf(account);
  // The last sample may be from after its end.
  const seen = memory.filter((mb) => mb > 0);
  const at = (share: number) => seen[Math.floor(share * (seen.length - 1))];
  return { lines, seconds, total, output, memoryMb: [at(0.25), at(0.5), at(1)], memory: seen, used };
}

function* eachLine(lines: number): Generator<string> {
  for (let i = 0; i < lines; i++) yield lineAt(i);
}

/** The memory of a process that is resident, 0 when it has ended. */
function residentMb(pid: number): number {
  try {
    const [, kb = '0'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kb) / 1024);
  } catch {
    return 0;
  }
}
