import { readBlockedHosts, setBlocked, stoppedHostsOf } from '../../../lib/webhooks/model/stoppedHosts.ts';
import { readSubscriptions } from '../../../lib/webhooks/model/subscriptions.ts';
import {
  accountsStoppedFor,
  resumeHost,
  subscriptionsTo,
} from '../../../lib/webhooks/subscriptions/byHost.ts';
import { OpsCommand } from '../../terminal/command.ts';
import { OpsError } from '../../terminal/opsError.ts';
import { columns } from '../columns.ts';
import { connect, type Target, targetOptions } from '../connection.ts';
import { parseAccount, parseHost } from '../values.ts';
import { changeAll, sentenceOf } from './subscriptionChanges.ts';
import { type FoundSubscription, table, view } from './subscriptionsOutput.ts';

// npm run ops -- webhooks list | pause | resume | block | unblock | blocked

interface Options extends Target {
  account?: string;
  host?: string;
  dryRun?: boolean;
  json?: boolean;
}

export const program = new OpsCommand('webhooks').description(
  'Webhook subscriptions: look at them, stop and resume them, by account or by the host of their URL',
);

const onTarget = (name: string, description: string): OpsCommand =>
  targetOptions(program.command(name).description(description)).option('--json', 'print JSON');

const subcommand = (name: string, description: string): OpsCommand =>
  onTarget(name, description)
    .option('--account <account>', 'the subscriptions of this account', parseAccount)
    .option('--host <host>', 'the subscriptions whose URL has this host, of any account', parseHost);

/** The subscriptions of the account, or those to the host; with both options those of the account that lead to the host. */
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

/** Ends what pausing means for the hosts of subscriptions that have been deleted or redirected since. */
async function resumeHosts({ account, host }: Options): Promise<void> {
  if (account !== undefined)
    for (const one of host === undefined ? await stoppedHostsOf(account) : [host])
      await resumeHost(account, one);
  else for (const one of await accountsStoppedFor(host as string)) await resumeHost(one, host as string);
}

const changes = {
  pause:
    'stop sending to them; new deliveries are held, and sent when they are resumed. Their owners cannot resume or test them, and cannot make ' +
    'others for their hosts',
  resume: 'end what "pause" has begun, and send what was held; those that their owner had paused stay paused',
} as const;

for (const change of ['pause', 'resume'] as const)
  subcommand(change, changes[change])
    .option('--dry-run', 'show which would be changed, and change nothing')
    .action(async (options: Options) => {
      await connect(options);
      const { dryRun = false } = options;
      const done = await changeAll(change, await find(options), { dryRun });
      if (change === 'resume' && !dryRun) await resumeHosts(options);
      print(done, options, sentenceOf(change, done, dryRun));
    });

const blocks = {
  block:
    'send nothing to a host, for any account: it is refused in new URLs and in tests, and its subscriptions are paused',
  unblock: 'end what "block" has begun, and send what was held',
} as const;

for (const change of ['block', 'unblock'] as const)
  onTarget(change, blocks[change])
    .requiredOption('--host <host>', 'the host', parseHost)
    .option('--dry-run', 'show which subscriptions would be changed, and change nothing')
    .action(async (options: Options & { host: string }) => {
      await connect(options);
      const { host, dryRun = false } = options;
      if (!dryRun) await setBlocked(host, change === 'block');
      const done = await changeAll(change, await find(options), { dryRun });
      const state = dryRun ? 'would be' : 'is';
      const sentence = `The host ${host} ${state} ${change}ed. ${sentenceOf(change, done, dryRun)}`;
      if (done.length === 0 && !options.json) console.log(sentence);
      else print(done, options, sentence);
    });

onTarget('blocked', 'list the hosts that are blocked')
  .option('--host <host>', 'only this host', parseHost)
  .action(async (options: Options) => {
    await connect(options);
    const found = Object.entries(await readBlockedHosts())
      .filter(([host]) => options.host === undefined || host === options.host)
      .map(([host, blocked_at]) => ({ host, blocked_at }));
    if (options.json) console.log(JSON.stringify(found));
    else if (found.length === 0)
      console.log(
        options.host === undefined ? 'No host is blocked.' : `The host ${options.host} is not blocked.`,
      );
    else
      console.log(columns([['HOST', 'BLOCKED'], ...found.map(({ host, blocked_at }) => [host, blocked_at])]));
  });
