import { basename } from 'node:path';
import { Argument, Command } from 'commander';
import { connect, type Target, targetOptions } from './connection.ts';
import { importLines } from './importLines.ts';
import { ImportProgress } from './importProgress.ts';
import { ImportReport } from './importReport.ts';
import { isResource, resources } from './importResources.ts';
import { openSource } from './importSource.ts';
import { OpsError, runCommand } from './opsError.ts';
import { RefusedFile } from './refusedFile.ts';
import { parseAccount } from './values.ts';

// npm run import -- <contacts|orders|event-registrations> FILE.ndjson --account A

interface Options extends Target {
  account: string;
  refused?: string;
  json?: boolean;
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
      const source = await openSource(file);
      await connect(options);
      const name = file === '-' ? 'stdin' : basename(file).replace(/\.(nd)?jsonl?$/, '');
      const refusedFile = new RefusedFile(options.refused ?? `${name}.refused.ndjson`, source.stats);
      const progress = new ImportProgress(source.stats.isFile() ? source.stats.size : undefined);
      const report = new ImportReport(progress, refusedFile);
      // What is under way is finished, and the summary says how far it came. A second Ctrl-C ends it at once.
      for (const signal of ['SIGINT', 'SIGTERM'] as const)
        process.once(signal, () => source.stop(new OpsError(`It was ended by ${signal}.`)));
      let complete = false;
      try {
        await importLines(resources[resource], options.account, source.chunks, report);
        complete = true;
      } finally {
        report.finish({ ...options, complete });
      }
      if (report.counts.refused > 0) process.exitCode = 1;
    }),
  );

await targetOptions(program).parseAsync();
