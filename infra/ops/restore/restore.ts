import { DescribeTableCommand, type TableDescription } from '@aws-sdk/client-dynamodb';
import { Argument } from 'commander';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { keys, records, webhooks } from '../../../lib/dynamodb/tables.ts';
import { OpsCommand } from '../../terminal/command.ts';
import { OpsError } from '../../terminal/opsError.ts';
import { Progress } from '../../terminal/progress.ts';
import { stopSignal } from '../../terminal/stopSignal.ts';
import { connect, type Target, targetOptions } from '../connection.ts';
import { parseAccount, parseMoment } from '../optionValues.ts';
import { scan } from '../scan.ts';
import { tableOf } from '../textTable.ts';
import { RecordsRestorer } from './records.ts';
import { type Outcome, Restoration, type Restorer } from './restoration.ts';
import { keysRestorer } from './restoreKeys.ts';
import { WebhooksRestorer } from './restoreWebhooks.ts';

// npm run ops -- restore records | webhooks | keys --from TABLE

interface Options extends Target {
  from: string;
  account?: string;
  changedBefore?: Date;
  dryRun?: boolean;
}

/** Everything that can be restored: the table, its restorer, and the filter for the items of an account. */
export const kinds = {
  records: {
    table: records,
    restorer: (restoration: Restoration): Restorer => new RecordsRestorer(restoration),
    ofAccount: (account: string) => begins(`${account}#`),
  },
  webhooks: {
    table: webhooks,
    restorer: (restoration: Restoration): Restorer => new WebhooksRestorer(restoration),
    ofAccount: (account: string) => begins(`${account}#`),
  },
  keys: {
    table: keys,
    restorer: (): Restorer => keysRestorer,
    ofAccount: (account: string) => ({
      FilterExpression: 'account_id = :account',
      ExpressionAttributeValues: { ':account': account },
    }),
  },
} as const;

const begins = (prefix: string) => ({
  FilterExpression: 'begins_with(pk, :prefix)',
  ExpressionAttributeValues: { ':prefix': prefix },
});

export const program = targetOptions(new OpsCommand('restore'))
  .description(
    'Bring back lost or corrupt data, from a table that was restored from a backup into the live table. The live table keeps its ' +
      'name, its stream and its newer data. It can be run again safely: data that has come back is not written again, and ' +
      'no receiver gets an event twice. The exit code is 1 when something could not be brought back.',
  )
  .addArgument(new Argument('<what>').choices(Object.keys(kinds)))
  .requiredOption('--from <table>', 'the table that the backup was restored into')
  .option('--account <account>', 'only the data of this account', parseAccount)
  .option(
    '--changed-before <time>',
    'keep what was changed at this time or later, RFC 3339 (default: when the restored table was made)',
    parseMoment,
  )
  .option('--dry-run', 'show what would come back, and change nothing')
  .action(restore);

/** The outcomes, with their columns in the summary. */
const labels: Record<Outcome, string> = {
  same: 'SAME',
  brought_back: 'BROUGHT BACK',
  kept: 'KEPT, AS NEWER',
  passed_over: 'PASSED OVER',
  stays: 'NOT BROUGHT BACK',
};

type Counts = Record<Outcome, number>;

const none: Counts = { same: 0, brought_back: 0, kept: 0, passed_over: 0, stays: 0 };

/** How many reasons are shown. All are counted. */
const shownMax = 20;

async function restore(what: keyof typeof kinds, options: Options): Promise<void> {
  const { from, account, dryRun = false, json } = options;
  const connection = await connect(options);
  // The items of external ids contain the id of their record, so ids must be readable.
  if (what === 'records') await connection.useIds();
  const { table: to, restorer, ofAccount } = kinds[what];
  const { keyNames, madeAt, items } = await openRestored(from, to.name);
  const progress = new Progress('items', items);
  const total = { ...none };
  const byKind = new Map<string, Counts>();
  let explained = 0;
  const restoration = new Restoration(
    {
      from,
      to,
      keyNames,
      changedBefore: options.changedBefore?.toISOString() ?? madeAt,
      dryRun,
      tally: (kind, outcome) => {
        const ofKind = byKind.get(kind) ?? { ...none };
        byKind.set(kind, ofKind);
        for (const counts of [ofKind, total]) counts[outcome] += 1;
      },
      explain: (name, reason) => {
        explained += 1;
        if (explained <= shownMax) progress.say(`${name}: ${reason}`);
        if (explained === shownMax + 1) progress.say('There are more such items.');
      },
    },
    restorer,
  );
  const filter = account === undefined ? {} : ofAccount(account);
  const stopped = stopSignal();
  let complete = false;
  try {
    const onRead = (count: number) => progress.advance(count);
    await scan({ table: from, filter, onRead, stopped }, (some) => restoration.bringBack(some));
    complete = !stopped.aborted;
  } finally {
    progress.end();
    const { count: read } = progress;
    const rows = [...byKind].sort();
    if (json)
      console.log(
        JSON.stringify({ read, ...total, kinds: Object.fromEntries(rows), dry_run: dryRun, complete }),
      );
    else {
      const columns = Object.entries(labels).map(([outcome, label]) => [
        label,
        ([, counts]: [string, Counts]) => `${counts[outcome as Outcome]}`,
      ]);
      const done = dryRun ? ', and nothing was written. It would be:' : '.';
      console.log(`${read} items of ${from} were read${done}`);
      console.log(tableOf(rows, { ITEMS: ([kind]) => kind, ...Object.fromEntries(columns) }));
    }
    if (!complete)
      console.error('The restore ended early. It can be run again safely: data that came back stays.');
  }
  if (what === 'keys' && !dryRun && total.brought_back > 0) await connection.flushAuthorizers();
  if (!complete || total.stays > 0) process.exitCode = 1;
}

/** Describes a restored table before it is read. @throws OpsError if `from` cannot have been restored from `to` */
async function openRestored(from: string, to: string) {
  if (from === to) throw new OpsError(`${from} is the live table; --from names the table of the backup.`);
  const [restored, living] = await Promise.all([describe(from), describe(to)]);
  if (restored.TableStatus !== 'ACTIVE')
    throw new OpsError(
      `The table ${from} is ${restored.TableStatus}. Wait for it: aws dynamodb wait table-exists --table-name ${from}`,
    );
  if (keySchema(restored) !== keySchema(living))
    throw new OpsError(
      `The table ${from} was not restored from ${to}: its key is ${keySchema(restored)}, and must be ${keySchema(living)}.`,
    );
  return {
    keyNames: restored.KeySchema?.map(({ AttributeName = '' }) => AttributeName) ?? [],
    madeAt: (restored.CreationDateTime as Date).toISOString(),
    // DynamoDB counts items about every six hours, so the restored table may not have a number yet; 0 if neither table has.
    items: Math.max(restored.ItemCount ?? 0, living.ItemCount ?? 0),
  };
}

async function describe(TableName: string): Promise<TableDescription> {
  const { Table } = await dynamodb().send(new DescribeTableCommand({ TableName }));
  return Table as TableDescription;
}

const keySchema = ({ KeySchema = [] }: TableDescription): string =>
  KeySchema.map(({ AttributeName, KeyType }) => `${AttributeName} (${KeyType})`).join(', ');
