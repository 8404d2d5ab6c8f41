import { basename } from 'node:path';
import { Argument } from 'commander';
import type { StatedResource } from '../../../lib/contract/inbox.ts';
import { storeStatements } from '../../../lib/inbox/contactLinks.ts';
import { namesIn, type Said } from '../../../lib/inbox/message.ts';
import { collectionOf } from '../../../lib/inbox/resources.ts';
import { deleteStated } from '../../../lib/records/deletion/deleteStated.ts';
import { byProduct } from '../../../lib/records/origin.ts';
import type { Entry } from '../../../lib/records/upsert/entry.ts';
import { entriesMax } from '../../../lib/records/upsert/upsert.ts';
import type { Stored } from '../../../lib/resources/collection.ts';
import { OpsCommand } from '../../terminal/command.ts';
import { OpsError } from '../../terminal/opsError.ts';
import { Progress } from '../../terminal/progressBar.ts';
import { onSignals } from '../../terminal/signals.ts';
import { newAccountFlag, newAccountNote, noteNewAccount } from '../accounts/newAccount.ts';
import { connect, type Target, targetOptions } from '../connection.ts';
import { ofResource } from '../ofResource.ts';
import { parseAccount, parseFile } from '../values.ts';
import { checkedLines } from './checkedLines.ts';
import { IndexPace, isIndexed } from './indexPace.ts';
import { LineReport } from './lineReport.ts';
import { openSource } from './lineSource.ts';
import type { Line } from './lines.ts';
import { RefusedFile } from './refusedFile.ts';

// npm run import -- <resource> FILE.ndjson --account A

interface Options extends Target {
  account: string;
  newAccount?: boolean;
  refused?: string;
  json?: boolean;
}

export const program = targetOptions(new OpsCommand('import'))
  .description(
    'Import records from a file of JSON lines. Each line is the whole state of a record, found again by its external_id, ' +
      'so importing a file twice changes nothing. The exit code is 1 when lines were refused.',
  )
  .addArgument(ofResource(new Argument('<resource>')))
  .argument('<file>', 'a file of one JSON object a line, or - for standard input', parseFile)
  .requiredOption('--account <account>', 'the account that the records belong to', parseAccount)
  .option(
    '--refused <file>',
    'where to write refused lines (default: NAME.refused.ndjson in the current directory)',
    parseFile,
  )
  .option(newAccountFlag, newAccountNote)
  .option('--json', 'print the counts as JSON')
  .action(importFile);

async function importFile(resource: StatedResource, file: string, options: Options): Promise<void> {
  const { account } = options;
  const source = await openSource(file);
  const connection = await connect(options);
  await connection.useIds();
  await noteNewAccount(account, options);
  const name = file === '-' ? 'stdin' : basename(file).replace(/\.(nd)?jsonl?$/, '');
  const refusedFile = new RefusedFile(options.refused ?? `${name}.refused.ndjson`, source.stats);
  const progress = new Progress('lines', source.stats.isFile() ? source.stats.size : 0);
  const report = new LineReport(progress, refusedFile);
  // The lines in work are finished, and the summary shows how far the command came.
  onSignals((signal) => source.stop(new OpsError(`It was ended by ${signal}.`)));
  let complete = false;
  try {
    const collection = collectionOf(resource);
    const pace = new IndexPace(
      (record) => isIndexed(collection, account, record),
      (text) => progress.say(text),
    );
    await importLines({ resource, account, chunks: source.chunks, report, pace });
    complete = true;
  } finally {
    report.finish({ ...options, complete });
    if (!complete)
      console.error(
        'The import ended early. It can be run again safely: what has been imported is found by its external_id. ' +
          `All lines before line ${report.nextLine} are done, so a run may also begin there.`,
      );
  }
  if (report.counts.refused > 0) process.exitCode = 1;
}

interface Job {
  resource: StatedResource;
  account: string;
  chunks: AsyncIterable<Buffer>;
  report: LineReport;
  pace: IndexPace;
}

type Pending = Line & { said: Said };

/**
 * Imports every line of a stream, in order, and reports the outcome of each. While the database works on a batch, the
 * lines of the next batch are read and checked.
 */
export async function importLines(job: Job): Promise<void> {
  let pending: Pending[] = [];
  let names = new Set<string>();
  let writing = Promise.resolve();
  // Only one batch is written at a time: a later batch must find the records of an earlier one, and memory must stay
  // flat.
  const write = async () => {
    await writing;
    writing = writeBatch(job, pending);
    // The next `await` of this promise throws its error. Until then Node must not report an unhandled rejection.
    writing.catch(() => {});
    pending = [];
    names = new Set();
  };
  try {
    for await (const { line, said } of checkedLines(job.resource, job.chunks, job.report)) {
      const own = namesIn(said);
      // A second line about the same record has to find what the first one made.
      if (own.some((name) => names.has(name)) || pending.length === entriesMax) await write();
      pending.push({ ...line, said });
      for (const name of own) names.add(name);
    }
    await write();
  } finally {
    await writing;
  }
}

/** Longer than others are at the same items. */
const deletionMs = 60_000;

async function writeBatch(
  { resource, account, report, pace }: Job,
  lines: readonly Pending[],
): Promise<void> {
  const collection = collectionOf(resource);
  const stated = lines.filter(({ said }) => said.entry !== undefined);
  const [results] = await Promise.all([
    storeStatements(
      collection,
      account,
      stated.map(({ said }) => said.entry as Entry<Stored>),
    ),
    ...lines.map(async ({ said: { deletion }, ...line }) => {
      if (!deletion) return;
      const options = { origin: byProduct, deadline: Date.now() + deletionMs };
      const result = await deleteStated(collection, account, deletion, options);
      if (result.kind === 'refused') report.refused(line, result.reason);
      else report.done(line, result.kind as Exclude<typeof result.kind, 'waiting'>);
    }),
  ]);
  for (const [i, line] of stated.entries()) {
    const result = results[i];
    if (result?.kind === 'refused') report.refused(line, result.reason);
    else if (result) {
      report.done(line, result.kind);
      if (result.kind !== 'outdated') report.met(result);
    }
  }
  const last = results.findLast((result) => 'record' in result);
  if (last) await pace.follow(last.record);
}
