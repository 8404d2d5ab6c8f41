import { suspendedSince } from '../../../lib/keys/suspension.ts';
import { resumeAccount, suspendAccount } from '../../../lib/webhooks/subscriptions/suspendAccount.ts';
import { OpsCommand } from '../command.ts';
import { type Connection, connect, type Target, targetOptions } from '../connection.ts';
import { flush } from '../keys/flush.ts';
import { parseAccount } from '../values.ts';
import { contentsOf, isNew } from './accountContents.ts';

// npm run ops -- accounts suspend | resume

interface Options extends Target {
  account: string;
  dryRun?: boolean;
  json?: boolean;
}

export const program = new OpsCommand('accounts').description(
  'Accounts: suspend one, and resume it. Its keys and subscriptions stay what they are',
);

function subcommand(name: string, description: string): OpsCommand {
  return targetOptions(program.command(name).description(description))
    .requiredOption('--account <account>', 'the account', parseAccount)
    .option('--dry-run', 'show what the account has, and change nothing')
    .option('--json', 'print JSON');
}

/** Suspends or resumes an account, flushes the cache of the authorizer, and prints the new state. */
async function change(
  options: Options,
  make: (account: string) => Promise<unknown>,
  { taken }: { taken: boolean },
): Promise<void> {
  const { account, dryRun = false, json } = options;
  const connection: Connection = await connect(options);
  const contents = await contentsOf(account);
  if (isNew(contents)) console.error(`Nothing exists of the account ${account}. Check its name.`);
  if (!dryRun) await make(account);
  const flushed = dryRun ? undefined : await flush(connection, { taken });
  const since = (await suspendedSince(account)) ?? null;
  const { keys, subscriptions } = contents;
  const state = since === null ? 'is not suspended' : `is suspended since ${since}`;
  if (json)
    console.log(
      JSON.stringify({
        account,
        suspended_at: since,
        keys,
        subscriptions,
        cache_flushed: flushed,
        dry_run: dryRun,
      }),
    );
  else
    console.log(
      `The account ${account} ${state}. It has ${keys} keys and ${subscriptions} webhook subscriptions.`,
    );
}

subcommand(
  'suspend',
  'answer 403 to every key of an account from the next request on, and hold its deliveries',
).action((options: Options) => change(options, suspendAccount, { taken: true }));

subcommand('resume', 'give the keys of an account their access again, and send the held deliveries').action(
  (options: Options) => change(options, resumeAccount, { taken: false }),
);
