import { fewAtOnce } from '../../../lib/concurrency.ts';
import { noteBuilt } from '../../../lib/filterIndex/completeFilters.ts';
import { readCount } from '../../../lib/records/counter.ts';
import type { CollectionRef } from '../../../lib/records/recordKeys.ts';
import { collectionOf } from '../../../lib/resources/collections.ts';
import { OpsCommand } from '../../terminal/command.ts';
import { OpsError } from '../../terminal/opsError.ts';
import { countOf } from '../../terminal/output.ts';
import { stopSignal } from '../../terminal/stopSignal.ts';
import { connect, type Target, targetOptions } from '../connection.ts';
import { parseAccount, parseDuration } from '../optionValues.ts';
import { notedOf, runIndexJob, storedOf } from './indexJob.ts';

// npm run ops -- index build | verify

interface Options extends Target {
  account?: string;
  repair?: boolean;
  lag?: number;
}

export const program = new OpsCommand('index').description(
  'The index of filters: build it from the records, or verify it. Both may run beside live traffic, and can be run again safely',
);

const subcommand = (name: string, description: string): OpsCommand =>
  targetOptions(program.command(name).description(description)).option(
    '--account <account>',
    'only this account',
    parseAccount,
  );

subcommand('build', 'write what is missing or wrong in the index, from the records').action(
  async (options: Options) => {
    const stopped = await open(options);
    const collections = await storedOf(options.account, stopped);
    const isRight = await compare({ ...options, repair: true }, collections, stopped);
    if (isRight) for (const ref of collections) await noteBuilt(ref, collectionOf(ref.type).filters);
  },
);

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
  .action(async (options: Options) => {
    const stopped = await open(options);
    await compare(options, await notedOf(options.account), stopped);
  });

/** Connects to the system. @returns a signal that aborts at Ctrl-C */
async function open(options: Options): Promise<AbortSignal> {
  const connection = await connect(options);
  // The keys of the index contain hashes that are made with the ID-masking key.
  await connection.useIds();
  return stopSignal();
}

/** Compares and repairs the index, and prints what was found. @returns whether everything was compared, and nothing is left wrong */
async function compare(
  { account, json, lag, repair = false }: Options,
  collections: readonly CollectionRef[],
  stopped: AbortSignal,
): Promise<boolean> {
  const total = await countOfRecords(account, collections);
  const job = { account, collections, lag, repairs: repair, stopped };
  const { records, items, different: wrong, late, left, complete } = await runIndexJob(job, total);
  const repaired = repair ? wrong - left : 0;
  if (json) console.log(JSON.stringify({ records, items, wrong, repaired, late, complete }));
  else {
    const found = wrong === 0 ? 'Nothing is wrong.' : `${wrong} wrong, and ${repaired} repaired.`;
    const behind =
      late === 0 ? '' : ` ${late} differ of records that have just changed: the index may only be late.`;
    console.log(
      `${countOf(records, 'record')} and ${countOf(items, 'item')} of the index were compared. ${found}${behind}`,
    );
  }
  if (!complete) console.error('It ended early. It can be run again safely: what is written stays.');
  const isRight = complete && repaired === wrong;
  if (!isRight) process.exitCode = 1;
  return isRight;
}

/**
 * Returns how many records collections contain together.
 * @throws OpsError if the given account has no records, because its name is probably mistyped
 */
async function countOfRecords(
  account: string | undefined,
  collections: readonly CollectionRef[],
): Promise<number> {
  const counts = await fewAtOnce(collections, readCount);
  const count = counts.reduce((sum, one) => sum + one, 0);
  if (account !== undefined && count === 0)
    throw new OpsError(
      `The account ${account} has no records, so there is nothing to compare. Check its name.`,
    );
  return count;
}
