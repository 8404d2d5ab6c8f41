import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Argument } from 'commander';
import type * as z from 'zod';
import { deletedLine, type ResourcePath, typeOfPath } from '../../../lib/contract/inboxContract.ts';
import { joinProblems } from '../../../lib/errors/apiError.ts';
import { readNumberedVersion } from '../../../lib/feed/appendChanges.ts';
import { collectionAt, toDeletion } from '../../../lib/inbox/inboxResources.ts';
import { leftOutOf, type MessageContent, namesIn, readRecord } from '../../../lib/inbox/readMessage.ts';
import { type StoreResult, storeMessages } from '../../../lib/inbox/storeMessages.ts';
import { positionOf } from '../../../lib/records/position.ts';
import { inAccount } from '../../../lib/records/recordKeys.ts';
import { entriesMax } from '../../../lib/records/upsert/upsert.ts';
import type { Collection, Stored } from '../../../lib/resources/collection.ts';
import { readObject } from '../../../lib/schemas/json.ts';
import { hintOf, problemsOf, shown } from '../../../lib/schemas/problemMessages.ts';
import { OpsCommand } from '../../terminal/command.ts';
import { OpsError } from '../../terminal/opsError.ts';
import { Progress } from '../../terminal/progress.ts';
import { onSignals } from '../../terminal/signals.ts';
import { noteNewAccount } from '../accounts/accountContents.ts';
import { type AccountTarget, connect, targetOptions } from '../connection.ts';
import { parseAccount } from '../optionValues.ts';
import { LineReport } from './lineReport.ts';
import { type Line, readLines } from './lines.ts';

// npm run import -- <resource> FILE.ndjson --account A

export const program = targetOptions(new OpsCommand('import'))
  .description(
    'Import records from a file of JSON lines. Each line is the whole state of a record, found again by its external_id, ' +
      'so importing a file twice changes nothing. Refused lines are kept in NAME.refused.ndjson in the current directory; ' +
      'the exit code is then 1.',
  )
  .addArgument(new Argument('<resource>').choices(Object.keys(typeOfPath)))
  .argument('<file>', 'a file of one JSON object a line, or - for standard input')
  .requiredOption('--account <account>', 'the account that the records belong to', parseAccount)
  .action(importFile);

async function importFile(resource: ResourcePath, file: string, options: AccountTarget): Promise<void> {
  const { account } = options;
  const { input, size } = openInput(file);
  const connection = await connect(options);
  await connection.useIds();
  await noteNewAccount(account);
  const name = file === '-' ? 'stdin' : basename(file).replace(/\.(nd)?jsonl?$/, '');
  const report = new LineReport(new Progress('lines', size), `${name}.refused.ndjson`);
  // The command finishes the lines in work, and the summary shows how far it got.
  onSignals((signal) => void input.destroy(new OpsError(`It was ended by ${signal}.`)));
  let complete = false;
  try {
    const follow = indexPace((record) => isIndexed(collectionAt(resource), account, record));
    await importLines({ resource, account, input, report, follow });
    complete = true;
  } finally {
    report.finish({ ...options, complete });
    if (!complete && report.nextLine > 1)
      console.error(
        'The import ended early. It can be run again safely: what has been imported is found by its external_id. ' +
          `All lines before line ${report.nextLine} are done, so a run may also begin there.`,
      );
  }
  if (report.counts.refused > 0) process.exitCode = 1;
}

/** @throws OpsError for a folder, and Error for a file that cannot be read */
function openInput(file: string): { input: Readable; size: number } {
  if (file === '-') return { input: process.stdin, size: 0 };
  const stats = statSync(file);
  if (stats.isDirectory()) throw new OpsError(`${file} is a folder. Name a file of JSON lines.`);
  return { input: createReadStream(file), size: stats.size };
}

interface Job {
  resource: ResourcePath;
  account: string;
  input: AsyncIterable<Buffer>;
  report: LineReport;
  follow: ReturnType<typeof indexPace>;
}

type Pending = Line & { content: MessageContent };

/**
 * Imports every line of a stream, in order, and reports the outcome of each. While the database works on a batch, the command reads and checks
 * the lines of the next batch.
 */
async function importLines(job: Job): Promise<void> {
  let pending: Pending[] = [];
  let names = new Set<string>();
  let writing = Promise.resolve();
  // Only one batch is written at a time, because a later batch must find the records of an earlier one, and memory must stay flat.
  const write = async () => {
    await writing;
    writing = writeBatch(job, pending);
    // The next `await` of this promise throws its error. Until then, Node must not report an unhandled rejection.
    writing.catch(() => {});
    pending = [];
    names = new Set();
  };
  try {
    for await (const { line, content } of contents(job)) {
      const own = namesIn(content);
      // A second line about the same record must find what the first one created.
      if (own.some((name) => names.has(name)) || pending.length === entriesMax) await write();
      pending.push({ ...line, content });
      for (const name of own) names.add(name);
    }
    await write();
  } finally {
    await writing;
  }
}

/** Longer than other writers use the same items. */
const deletionMs = 60_000;

async function writeBatch(
  { resource, account, report, follow }: Job,
  lines: readonly Pending[],
): Promise<void> {
  const results = await storeMessages(
    inAccount(collectionAt(resource), account),
    lines.map(({ content }) => content),
    { deadline: Date.now() + deletionMs, turn: Number.POSITIVE_INFINITY },
  );
  for (const [i, line] of lines.entries()) {
    const result = results[i] as StoreResult;
    if (result.kind === 'refused') report.refused(line, result.reason);
    else if (result.kind !== 'waiting') report.done(line, result.kind);
    if ('record' in result) report.met(result);
  }
  const last = results.findLast((result) => 'record' in result);
  if (last) await follow(last.record);
}

/** The part of a line to store, or the reason why the line cannot be imported. */
type Checked = { content: MessageContent; leftOut?: string } | { problem: string };

/**
 * Yields the lines that contain a record, or `{"deleted": …}`. Invalid lines are reported as refused, and empty lines are skipped.
 * @throws OpsError if the input begins with something else: one message instead of one for each line
 */
async function* contents({
  resource,
  input,
  report,
}: Pick<Job, 'resource' | 'input' | 'report'>): AsyncGenerator<{ line: Line; content: MessageContent }> {
  for await (const line of readLines(input)) {
    const text = line.text.trim();
    if (line.number === 1 && text !== '' && !text.startsWith('{'))
      throw new OpsError(
        `The input begins with ${JSON.stringify(text.slice(0, 20))}. It must have one JSON object a line, as text in UTF-8.`,
      );
    report.read(line);
    if (line.problem === undefined && text === '') {
      report.done(line, 'empty');
      continue;
    }
    const checked = checkLine(resource, line);
    if ('problem' in checked) report.refused(line, checked.problem);
    else {
      if (checked.leftOut !== undefined) report.leftOut(line, checked.leftOut);
      yield { line, ...checked };
    }
  }
}

/** Checks a line as the inbox checks a message. */
export function checkLine(resource: ResourcePath, { text, problem }: Line): Checked {
  const read = problem === undefined ? readObject(text) : { problem };
  if ('problem' in read) return { problem: `the line ${read.problem}` };
  const sentences = (issues: readonly z.ZodError['issues'][number][]) =>
    joinProblems(problemsOf({ issues: [...issues] }, shown, hintOf));
  if (Object.hasOwn(read.value, 'deleted')) {
    const { data, error } = deletedLine(resource).safeParse(read.value);
    if (!data) return { problem: sentences(error.issues) };
    const ahead = leftOutOf(data.deleted);
    return {
      content: { deletion: toDeletion(data.deleted) },
      ...(ahead.length > 0 ? { leftOut: sentences(ahead) } : {}),
    };
  }
  const record = readRecord(resource, read.value);
  if ('problems' in record) return { problem: sentences(record.problems) };
  const { entry, leftOut } = record;
  return { content: { entry }, ...(leftOut.length > 0 ? { leftOut: sentences(leftOut) } : {}) };
}

type Written = Pick<Stored, 'id' | 'version'>;

/** How many batches of a hundred records may be on their way to the index, because changes of other accounts wait behind them. */
const batchesMax = 10;

/** After this time, the command no longer waits for the index. An alarm reports that it is late. */
const lostAfterMs = 60_000;

const pollMs = 100;

/**
 * Keeps a command from writing faster than the index follows.
 * @returns a function that records that a batch was written, by its last record, and waits until the next batch may be written
 */
export function indexPace(indexed: (record: Written) => Promise<boolean>) {
  const onTheWay: Written[] = [];
  return async (record: Written): Promise<void> => {
    if (onTheWay.push(record) < batchesMax) return;
    const oldest = onTheWay.shift() as Written;
    for (const end = Date.now() + lostAfterMs; Date.now() < end && !(await indexed(oldest)); )
      await sleep(pollMs);
  };
}

/** Returns whether the index contains a version of a record. The feed numbers a change in the same batch that updates the filters. */
const isIndexed = async (
  { type, prefix }: Collection<Stored>,
  account: string,
  { id, version }: Written,
): Promise<boolean> =>
  (await readNumberedVersion(account, type, positionOf(prefix, id) as number)) >= version;
