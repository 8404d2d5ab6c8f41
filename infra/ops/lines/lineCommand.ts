import { basename } from 'node:path';
import { Argument } from 'commander';
import type { StatedResource } from '../../../lib/contract/inbox.ts';
import { collectionOf } from '../../../lib/inbox/resources.ts';
import { OpsCommand } from '../../terminal/command.ts';
import { OpsError } from '../../terminal/opsError.ts';
import { Progress } from '../../terminal/progressBar.ts';
import { onSignals } from '../../terminal/signals.ts';
import { newAccountFlag, newAccountNote, noteNewAccount } from '../accounts/newAccount.ts';
import { type Connection, connect, type Target, targetOptions } from '../connection.ts';
import { ofResource } from '../ofResource.ts';
import { parseAccount, parseFile } from '../values.ts';
import { IndexPace, isIndexed } from './indexPace.ts';
import { LineReport } from './lineReport.ts';
import { openSource } from './lineSource.ts';
import { RefusedFile } from './refusedFile.ts';

/** A command that does something with each line of a file. */
export interface LineCommand<Kind extends string> {
  name: string;
  description: string;
  /** The outcomes of a line that is not refused, with their labels in the summary. */
  outcomes: Readonly<Record<Kind, string>>;
  /** Why it is safe to run it again after an early end. */
  repeatable: string;
  /** How long the index may take for what is written, in milliseconds, because other accounts wait as long. */
  lagMaxMs: number;
  work(job: LineJob<Kind>): Promise<void>;
}

export interface LineJob<Kind extends string> {
  resource: StatedResource;
  account: string;
  chunks: AsyncIterable<Buffer>;
  report: LineReport<Kind>;
  connection: Connection;
  pace: IndexPace;
}

interface Options extends Target {
  account: string;
  newAccount?: boolean;
  refused?: string;
  json?: boolean;
}

/** A command on the file, the resource and the account that the command line names. */
export const lineCommand = <Kind extends string>(command: LineCommand<Kind>): OpsCommand =>
  targetOptions(new OpsCommand(command.name))
    .description(`${command.description} The exit code is 1 when lines were refused.`)
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
    .action((resource: StatedResource, file: string, options: Options) =>
      perform(command, resource, file, options),
    );

async function perform<Kind extends string>(
  { name: command, outcomes, repeatable, lagMaxMs, work }: LineCommand<Kind>,
  resource: StatedResource,
  file: string,
  options: Options,
): Promise<void> {
  const source = await openSource(file);
  const connection = await connect(options);
  await connection.useIds();
  await noteNewAccount(options.account, options);
  const name = file === '-' ? 'stdin' : basename(file).replace(/\.(nd)?jsonl?$/, '');
  const refusedFile = new RefusedFile(options.refused ?? `${name}.refused.ndjson`, source.stats);
  const progress = new Progress('lines', source.stats.isFile() ? source.stats.size : 0);
  const report = new LineReport(outcomes, progress, refusedFile);
  // The lines in work are finished, and the summary shows how far the command came.
  onSignals((signal) => source.stop(new OpsError(`It was ended by ${signal}.`)));
  let complete = false;
  try {
    const { account } = options;
    const collection = collectionOf(resource);
    const pace = new IndexPace(
      (record) => isIndexed(collection, account, record),
      lagMaxMs,
      (text) => progress.say(text),
    );
    await work({ resource, account, chunks: source.chunks, report, connection, pace });
    complete = true;
  } finally {
    report.finish({ ...options, complete });
    if (!complete)
      console.error(
        `The ${command} ended early. It can be run again safely: ${repeatable} ` +
          `All lines before line ${report.nextLine} are done, so a run may also begin there.`,
      );
  }
  if (report.counts.refused > 0) process.exitCode = 1;
}
