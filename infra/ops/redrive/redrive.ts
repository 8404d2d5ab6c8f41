import { Argument } from 'commander';
import { OpsCommand } from '../../terminal/command.ts';
import { connect, type Target, targetOptions } from '../connection.ts';
import { parseAccount } from '../values.ts';
import { judgeDeferred, judgeDelivery, judgeItems, judgeRecord, redriveMessages } from './deadLetters.ts';
import type { GivenUp } from './givenUp.ts';
import { type RedriveJob, Tally } from './redriveJob.ts';
import { replayChanges } from './replayChanges.ts';

// npm run ops -- redrive records | deliveries | deferred-changes | deferred-items | changes

interface Options extends Target {
  account?: string;
  dryRun?: boolean;
  json?: boolean;
}

/** The kinds of work that can be tried again, with their names in the singular and in the plural. */
const kinds = {
  records: {
    work: ({ records }: GivenUp, job: RedriveJob) => redriveMessages(records, judgeRecord, job),
    called: ['dead letter of the inbox', 'dead letters of the inbox'],
  },
  deliveries: {
    work: ({ deliveries }: GivenUp, job: RedriveJob) => redriveMessages(deliveries, judgeDelivery, job),
    called: ['dead letter of the deliveries', 'dead letters of the deliveries'],
  },
  'deferred-changes': {
    work: ({ deferredChanges }: GivenUp, job: RedriveJob) =>
      redriveMessages(deferredChanges, judgeDeferred, job),
    called: ['dead letter of the deferred changes', 'dead letters of the deferred changes'],
  },
  'deferred-items': {
    work: ({ deferredItems }: GivenUp, job: RedriveJob) => redriveMessages(deferredItems, judgeItems, job),
    called: ['dead letter of the deferred items', 'dead letters of the deferred items'],
  },
  changes: { work: replayChanges, called: ['batch of failed changes', 'batches of failed changes'] },
} as const;

export const program = targetOptions(new OpsCommand('redrive'))
  .description(
    'Try work again that was given up, after its cause is fixed: dead letters of the records inbox, dead letters of the ' +
      'deliveries, of deferred changes or of deferred items of the index, or changes that could not be made into events or indexed. Work that would fail again or fails again stays; ' +
      'the exit code is then 1. It can be run again safely: work that is done twice has one effect.',
  )
  .addArgument(new Argument('<what>').choices(Object.keys(kinds)))
  .option('--account <account>', 'only the work of this account', parseAccount)
  .option('--dry-run', 'show what is there, and change nothing')
  .option('--json', 'print the counts as JSON')
  .action(redrive);

async function redrive(what: keyof typeof kinds, options: Options): Promise<void> {
  const { account, dryRun = false, json } = options;
  const { work, called } = kinds[what];
  const connection = await connect(options);
  const tally = new Tally();
  try {
    await work(connection.givenUp(), { account, dryRun, tally });
  } finally {
    const { again, stays } = tally;
    const sentence = `${again} ${called[again === 1 ? 0 : 1]} ${dryRun ? 'would be' : again === 1 ? 'was' : 'were'} tried again`;
    console.log(
      json
        ? JSON.stringify({ again, stays, dry_run: dryRun })
        : `${sentence}, ${stays} ${stays === 1 ? 'stays' : 'stay'}`,
    );
    if (stays > 0) process.exitCode = 1;
  }
}
