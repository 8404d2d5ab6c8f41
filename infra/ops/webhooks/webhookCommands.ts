import { readSubscriptions } from '../../../lib/webhooks/model/subscriptions.ts';
import {
  accountsStoppedFor,
  type OperatorChange,
  readBlockedHosts,
  resumeHost,
  setBlocked,
  stoppedHostsOf,
  subscriptionsTo,
} from '../../../lib/webhooks/receivers/blockedHosts.ts';
import { OpsCommand } from '../../terminal/command.ts';
import { OpsError } from '../../terminal/opsError.ts';
import { countOf } from '../../terminal/output.ts';
import { connect, type Target, targetOptions } from '../connection.ts';
import { parseAccount, parseHost } from '../optionValues.ts';
import { tableOf } from '../textTable.ts';
import { changeAll, type FoundSubscription, subscriptionsTable, view } from './foundSubscriptions.ts';

// npm run ops -- webhooks list | pause | resume | block | unblock | blocked

interface Options extends Target {
  account?: string;
  host?: string;
}

export const program = new OpsCommand('webhooks').description(
  'Webhook subscriptions: list, stop and resume them, by account or by the host of their URL',
);

const onTarget = (name: string, description: string): OpsCommand =>
  targetOptions(program.command(name).description(description));

const subcommand = (name: string, description: string): OpsCommand =>
  onTarget(name, description)
    .option('--account <account>', 'the subscriptions of this account', parseAccount)
    .option('--host <host>', 'the subscriptions whose URL has this host, of any account', parseHost);

/** Returns the subscriptions of the account or those to the host; with both options, those of the account that lead to the host. */
async function find({ account, host }: Options): Promise<FoundSubscription[]> {
  if (account === undefined && host === undefined)
    throw new OpsError(
      'Name which ones: --account, --host, or both for those of the account whose URL has the host.',
    );
  if (account === undefined) return Array.fromAsync(subscriptionsTo(host as string));
  const all = await readSubscriptions(account);
  return all
    .filter((subscription) => host === undefined || subscription.host === host)
    .map((subscription) => ({ account, subscription }));
}

/** @param sentence what was done to them */
function print(found: readonly FoundSubscription[], { json }: Options, sentence?: string): void {
  const table = found.length === 0 ? 'No subscriptions match.' : subscriptionsTable(found);
  console.log(
    json ? JSON.stringify(found.map(view)) : [table, ...(sentence ? ['', sentence] : [])].join('\n'),
  );
}

subcommand('list', 'list subscriptions, with the keys that made them and changed them last').action(
  async (options: Options) => {
    await connect(options);
    print(await find(options), options);
  },
);

/** Ends a pause for the hosts of subscriptions that have been deleted or redirected since. */
async function resumeHosts({ account, host }: Options): Promise<void> {
  if (account !== undefined)
    for (const one of host === undefined ? await stoppedHostsOf(account) : [host])
      await resumeHost(account, one);
  else for (const one of await accountsStoppedFor(host as string)) await resumeHost(one, host as string);
}

/** Stops or resumes what the options name, and prints it. */
async function changeFound(change: OperatorChange, options: Options): Promise<void> {
  const done = await changeAll(change, await find(options));
  if (change === 'resume') await resumeHosts(options);
  const count = done.filter(({ changed }) => changed).length;
  const verb = change === 'pause' || change === 'block' ? 'paused' : 'resumed';
  print(
    done,
    options,
    `${count} of ${countOf(done.length, 'subscription')} ${count === 1 ? 'was' : 'were'} ${verb}.`,
  );
}

const changes = {
  pause:
    'stop sending to them; new deliveries are held, and sent when they are resumed. Their owners cannot resume or test them, and cannot make ' +
    'others for their hosts',
  resume: 'end what "pause" has begun, and send what was held; those that their owner had paused stay paused',
} as const;

for (const change of ['pause', 'resume'] as const)
  subcommand(change, changes[change]).action(async (options: Options) => {
    await connect(options);
    await changeFound(change, options);
  });

const blocks = {
  block:
    'send nothing to a host, for any account: it is refused in new URLs and in tests, and its subscriptions are paused',
  unblock: 'end what "block" has begun, and send what was held',
} as const;

for (const change of ['block', 'unblock'] as const)
  onTarget(change, blocks[change])
    .requiredOption('--host <host>', 'the host', parseHost)
    .action(async (options: Options & { host: string }) => {
      await connect(options);
      await setBlocked(options.host, change === 'block');
      console.error(`${options.host} is ${change === 'block' ? 'blocked' : 'no longer blocked'}.`);
      await changeFound(change, options);
    });

onTarget('blocked', 'list the hosts that are blocked').action(async (options: Options) => {
  await connect(options);
  const found = Object.entries(await readBlockedHosts()).map(([host, blocked_at]) => ({ host, blocked_at }));
  if (options.json) console.log(JSON.stringify(found));
  else if (found.length === 0) console.log('No host is blocked.');
  else console.log(tableOf(found, { HOST: ({ host }) => host, BLOCKED: ({ blocked_at }) => blocked_at }));
});
