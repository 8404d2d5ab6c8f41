import { fewAtOnce } from '../../../lib/concurrency.ts';
import { noteBuilt } from '../../../lib/lists/completeFilters.ts';
import { readCount } from '../../../lib/records/head.ts';
import type { CollectionRef } from '../../../lib/records/keys.ts';
import { collectionOf } from '../../../lib/resources/collections.ts';
import { OpsCommand } from '../../terminal/command.ts';
import { OpsError } from '../../terminal/opsError.ts';
import { countOf } from '../../terminal/output.ts';
import { stopSignal } from '../../terminal/stopSignal.ts';
import { connect, type Target, targetOptions } from '../connection.ts';
import { parseAccount, parseDuration } from '../values.ts';
import { notedOf, runIndexJob, storedOf } from './indexJob.ts';

// npm run ops -- index build | verify

interface Options extends Target {
  account?: string;
  json?: boolean;
}

interface VerifyOptions extends Options {
  repair?: boolean;
  lag: number;
}

export const program = new OpsCommand('index').description(
  'The index of filters: build it from the records, or verify it. Both may run beside live traffic, and can be run again safely',
);

const subcommand = (name: string, description: string): OpsCommand =>
  targetOptions(program.command(name).description(description))
    .option('--account <account>', 'only this account', parseAccount)
    .option('--json', 'print the counts as JSON');

subcommand('build', 'write what is missing or wrong in the index, from the records').action(build);

subcommand(
  'verify',
  'compare the index with the records. The exit code is 1 when something is wrong and not repaired',
)
  .option('--repair', 'repair what is wrong')
  .option(
    '--lag <duration>',
    'how late the index may be: records that have changed within this time are not confirmed',
    parseDuration,
    60_000,
  )
  .action(verify);

async function build(options: Options): Promise<void> {
  const { account, json } = options;
  const stopped = await open(options);
  const collections = await storedOf(account, stopped);
  const job = { account, collections, lag: undefined, repairs: true, stopped };
  const { records, items, different, left, complete } = await runIndexJob(job, await countOfRecords(job));
  const written = different - left;
  if (complete && left === 0)
    for (const ref of collections) await noteBuilt(ref, collectionOf(ref.type).filters);
  if (json) console.log(JSON.stringify({ records, items, written, left, complete }));
  else
    console.log(
      `${countOf(records, 'record')} of ${countOf(collections.length, 'collection')} and ${countOf(items, 'item')} of the index were compared. ${countOf(written, 'entry')} of the index ${written === 1 ? 'was' : 'were'} written.`,
    );
  conclude({ complete, left });
}

async function verify(options: VerifyOptions): Promise<void> {
  const { account, json, lag, repair = false } = options;
  const stopped = await open(options);
  const job = { account, collections: await notedOf(account), lag, repairs: repair, stopped };
  const found = await runIndexJob(job, await countOfRecords(job));
  const { records, items, different: wrong, late, left, complete } = found;
  const repaired = repair ? wrong - left : 0;
  if (json) console.log(JSON.stringify({ records, items, wrong, repaired, late, complete }));
  else console.log(sentencesOf({ ...found, repaired, lag }));
  conclude({ complete, left: wrong - repaired });
}

function sentencesOf({
  records,
  items,
  different: wrong,
  repaired,
  late,
  lag,
}: Awaited<ReturnType<typeof runIndexJob>> & { repaired: number; lag: number }): string {
  const compared = `${countOf(records, 'record')} and ${countOf(items, 'item')} of the index were compared.`;
  const found =
    wrong === 0
      ? 'Nothing is wrong.'
      : `${countOf(wrong, 'entry')} of the index ${wrong === 1 ? 'was' : 'were'} wrong, ${repaired} of them ${repaired === 1 ? 'is' : 'are'} repaired.`;
  const behind =
    late === 0
      ? ''
      : ` ${countOf(late, 'entry')} of records that have changed within the last ${lag / 1000} seconds ${late === 1 ? 'differs' : 'differ'}: the index may only be late.`;
  return `${compared} ${found}${behind}`;
}

/**
 * How many records collections have together.
 * @throws OpsError when a name was given of an account without records: it is probably mistyped
 */
async function countOfRecords(job: {
  account: string | undefined;
  collections: readonly CollectionRef[];
}): Promise<number> {
  const counts = await fewAtOnce(job.collections, readCount);
  const count = counts.reduce((sum, one) => sum + one, 0);
  if (job.account !== undefined && count === 0)
    throw new OpsError(
      `The account ${job.account} has no records, so there is nothing to compare. Check its name.`,
    );
  return count;
}

/** Connects to the system. @returns aborted at Ctrl-C */
async function open(options: Options): Promise<AbortSignal> {
  const connection = await connect(options);
  // The keys of the index have hashes that are made with the key of the ids.
  await connection.useIds();
  return stopSignal();
}

function conclude({ complete, left }: { complete: boolean; left: number }): void {
  if (!complete) console.error('It ended early. It can be run again safely: what is written stays.');
  if (!complete || left > 0) process.exitCode = 1;
}
