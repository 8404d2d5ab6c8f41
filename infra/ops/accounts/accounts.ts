import { createInterface } from 'node:readline';
import { suspendedSince } from '../../../lib/keys/suspension.ts';
import { resumeAccount, suspendAccount } from '../../../lib/webhooks/receivers/blockedHosts.ts';
import { OpsCommand } from '../../terminal/command.ts';
import { OpsError } from '../../terminal/opsError.ts';
import { countOf } from '../../terminal/output.ts';
import { stopSignal } from '../../terminal/stopSignal.ts';
import { type AccountTarget, connect, targetOptions } from '../connection.ts';
import { flush } from '../keys/flush.ts';
import { parseAccount } from '../optionValues.ts';
import { noteNewAccount } from './accountContents.ts';
import { deleteAccount } from './deleteAccount.ts';
import { exportAccount } from './exportAccount.ts';

// npm run accounts -- suspend | resume | export | delete

export const program = new OpsCommand('accounts').description(
  'Accounts: suspend and resume one, write all of it into files, and delete it',
);

const subcommand = (name: string, description: string): OpsCommand =>
  targetOptions(program.command(name).description(description)).requiredOption(
    '--account <account>',
    'the account',
    parseAccount,
  );

/** Suspends or resumes an account, flushes the authorizer's cache, and prints the new state. */
async function changeTo(
  options: AccountTarget,
  make: (account: string) => Promise<unknown>,
  { taken }: { taken: boolean },
): Promise<void> {
  const { account, json } = options;
  const connection = await connect(options);
  await noteNewAccount(account);
  await make(account);
  const cache_flushed = await flush(connection, { taken });
  const since = (await suspendedSince(account)) ?? null;
  if (json) console.log(JSON.stringify({ account, suspended_at: since, cache_flushed }));
  else
    console.log(
      `The account ${account} ${since === null ? 'is not suspended' : `has been suspended since ${since}`}.`,
    );
}

subcommand(
  'suspend',
  'answer 403 to every key of an account from the next request on, and hold its deliveries; its keys and subscriptions stay what they are',
).action((options: AccountTarget) => changeTo(options, suspendAccount, { taken: true }));

subcommand('resume', 'give the keys of an account their access again, and send the held deliveries').action(
  (options: AccountTarget) => changeTo(options, resumeAccount, { taken: false }),
);

subcommand(
  'export',
  'write all of an account but secrets and counts of requests into files of JSON lines; npm run import reads those of the records',
)
  .requiredOption('--to <directory>', 'a new folder for the files')
  .action(async ({ account, to, json, ...target }: AccountTarget & { to: string }) => {
    const connection = await connect(target);
    await connection.useIds();
    await exportAccount(account, to, stopSignal());
    console.log(json ? JSON.stringify({ account, to }) : `The account ${account} is in ${to}.`);
  });

subcommand(
  'delete',
  'delete an account from all tables: its sessions and keys first, then everything. Nothing brings it back. It asks for the name again. It can be run again safely, also after it was killed',
).action(async ({ account, json, ...target }: AccountTarget) => {
  const connection = await connect(target);
  console.error(`Type the name of the account, to delete ${account} and all that it has:`);
  if ((await firstLine(process.stdin)) !== account)
    throw new OpsError('That is not its name: nothing was deleted.');
  const deletion = await deleteAccount(account, connection, stopSignal());
  if (json) console.log(JSON.stringify({ account, ...deletion }));
  if (!deletion.complete) throw new OpsError('It was stopped, and something may be left. Run it again.');
  if (!json)
    console.log(
      `${countOf(deletion.items, 'item')} were deleted; nothing is left of the account ${account} in any table.`,
    );
});

async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input })) return line.trim();
  return '';
}
