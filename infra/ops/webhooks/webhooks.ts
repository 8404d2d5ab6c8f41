import { subscriptionsTo } from '../../../lib/webhooks/subscriptions/byOperator.ts';
import { readSubscriptions } from '../../../lib/webhooks/subscriptions/readSubscriptions.ts';
import { OpsCommand } from '../command.ts';
import { connect, type Target, targetOptions } from '../connection.ts';
import { OpsError } from '../opsError.ts';
import { parseAccount, parseHost } from '../values.ts';
import { changeAll, sentenceOf } from './subscriptionChanges.ts';
import { type FoundSubscription, table, view } from './subscriptionsOutput.ts';

// npm run webhooks -- list | pause | resume

interface Options extends Target {
  account?: string;
  host?: string;
  dryRun?: boolean;
  json?: boolean;
}

export const program = new OpsCommand('npm run webhooks --').description(
  'Webhook subscriptions: look at them, pause and resume them, by account or by the host of their URL',
);

function subcommand(name: string, description: string): OpsCommand {
  return targetOptions(program.command(name).description(description))
    .option('--account <account>', 'the subscriptions of this account', parseAccount)
    .option('--host <host>', 'the subscriptions whose URL has this host, of any account', parseHost)
    .option('--json', 'print JSON');
}

/**
 * The subscriptions of the account, or those to the host; with both options those of the account that lead to the host.
 */
async function find({ account, host }: Options): Promise<FoundSubscription[]> {
  if (account === undefined && host === undefined)
    throw new OpsError(
      'Name which ones: --account, --host, or both for those of the account whose URL has the host.',
    );
  const found: FoundSubscription[] = [];
  if (account === undefined) for await (const one of subscriptionsTo(host as string)) found.push(one);
  else
    for (const subscription of await readSubscriptions(account))
      if (host === undefined || subscription.host === host) found.push({ account, subscription });
  return found;
}

function print(found: readonly FoundSubscription[], { json }: Options, sentence?: string): void {
  if (json) console.log(JSON.stringify(found.map(view)));
  else if (found.length === 0) console.log('There are no such subscriptions.');
  else console.log([table(found), ...(sentence ? ['', sentence] : [])].join('\n'));
}

subcommand('list', 'list subscriptions, with the keys that made them and changed them last').action(
  async (options: Options) => {
    await connect(options);
    print(await find(options), options);
  },
);

const changes = {
  pause: 'stop sending to those that are active; new deliveries are held, and sent when they are resumed',
  resume:
    'send again, with all held deliveries, to those that "pause" has paused; not to those that their owner paused',
} as const;

for (const change of ['pause', 'resume'] as const)
  subcommand(change, changes[change])
    .option('--dry-run', 'show which would be changed, and change nothing')
    .action(async (options: Options) => {
      await connect(options);
      const { dryRun = false } = options;
      const done = await changeAll(change, await find(options), { dryRun });
      print(done, options, sentenceOf(change, done, dryRun));
    });

if (import.meta.main) await program.main();
