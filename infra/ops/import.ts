import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { Argument, Command } from 'commander';
import { connect, type Target, targetOptions } from './connection.ts';
import { importLines } from './importLines.ts';
import { ImportReport } from './importReport.ts';
import { isResource, resources } from './importResources.ts';
import { OpsError, runCommand } from './opsError.ts';
import { parseAccount } from './values.ts';

// npm run import -- <contacts|orders|event-registrations> FILE.ndjson --account A

interface Options extends Target {
  account: string;
  refused?: string;
  json?: boolean;
}

/** The bytes of a file and how to read them; a size of undefined for standard input, which has none. */
function open(file: string): { input: Readable; bytes: number | undefined } {
  if (file === '-') return { input: process.stdin, bytes: undefined };
  try {
    const stats = statSync(file);
    if (!stats.isFile() && !stats.isFIFO()) throw new Error('it is not a file');
    return { input: createReadStream(file), bytes: stats.isFile() ? stats.size : undefined };
  } catch (error) {
    throw new OpsError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

const program = new Command('npm run import --')
  .description(
    'Import records from a file of JSON lines. Each line is the whole state of a record, found again by its external_id, ' +
      'so importing a file twice changes nothing. The exit code is 1 when lines were refused.',
  )
  .addArgument(new Argument('<resource>').choices(Object.keys(resources)))
  .argument('<file>', 'a file of one JSON object a line, or - for standard input')
  .requiredOption('--account <account>', 'the account that the records belong to', parseAccount)
  .option(
    '--refused <file>',
    'where to write refused lines (default: NAME.refused.ndjson in the current directory)',
  )
  .option('--json', 'print the counts as JSON')
  .action((resource: string, file: string, options: Options) =>
    runCommand(async () => {
      if (!isResource(resource)) return;
      const { input, bytes } = open(file);
      await connect(options);
      const name = file === '-' ? 'stdin' : basename(file).replace(/\.(nd)?jsonl?$/, '');
      const report = new ImportReport({ bytes, refusedFile: options.refused ?? `${name}.refused.ndjson` });
      await importLines(resources[resource], options.account, input, report);
      report.finish(options);
      if (report.counts.refused > 0) process.exitCode = 1;
    }),
  );

await targetOptions(program).parseAsync();
