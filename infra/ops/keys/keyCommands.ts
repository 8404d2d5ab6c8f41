import { InvalidArgumentError } from 'commander';
import type { Access } from '../../../lib/keys/access.ts';
import type { Environment } from '../../../lib/keys/format.ts';
import {
  type ApiKey,
  assertNotRevoked,
  changed,
  type IssuedKey,
  issue,
  revoked,
  rotated,
  scopedTo,
} from '../../../lib/keys/key.ts';
import { keyHistory } from '../../../lib/keys/keyHistory.ts';
import { readKeysOf, saveKey } from '../../../lib/keys/storedKeys.ts';
import { scopes as allScopes } from '../../../lib/resources/index.ts';
import { knownUses } from '../../../lib/usage/keyUses.ts';
import { subscriptionsOf } from '../../../lib/webhooks/model/subscriptions.ts';
import { OpsCommand } from '../../terminal/command.ts';
import { OpsError } from '../../terminal/opsError.ts';
import { noteNewAccount } from '../accounts/accountContents.ts';
import { type Connection, connect, type Target, targetOptions } from '../connection.ts';
import { parseAccount, parseDuration, parseExpiry, parseName } from '../optionValues.ts';
import {
  changeAll,
  type FoundSubscription,
  subscriptionsTable,
  view as subscriptionView,
} from '../webhooks/foundSubscriptions.ts';
import { flush } from './flush.ts';
import { keysInFile, readAllKeys, revokeFound, save, withKey } from './keyActions.ts';
import { historyTable, keysTable, view } from './keyTables.ts';

// npm run keys -- create | list | history | update | rotate | revoke

interface Options extends Target {
  account?: string;
  name?: string;
  scope?: string[];
  fullAccess?: boolean;
  expires?: Date | 'never';
  overlap?: number;
  fromFile?: string;
  pauseSubscriptions?: boolean;
}

export const program = new OpsCommand('keys').description(
  'API keys: create, list, change, rotate and revoke them',
);

function subcommand(name: string, description: string): OpsCommand {
  return targetOptions(program.command(name).description(description));
}

function collectScope(value: string, before: string[] = []): string[] {
  if (!(allScopes as readonly string[]).includes(value))
    throw new InvalidArgumentError(`The scopes are ${allScopes.join(', ')}.`);
  return [...before, value];
}

const withAccess = (command: OpsCommand): OpsCommand =>
  command
    .repeatableOption('--scope <scope>', 'what the key may do; may be given several times', collectScope)
    .option('--full-access', 'the key may do everything; required for a key without scopes')
    .option('--expires <time>', 'RFC 3339, a duration such as 90d, or never', parseExpiry);

/** Returns the requested access; undefined if the command line has no option for it. */
function accessFrom({ scope, fullAccess }: Options): Access | undefined {
  if (scope && fullAccess)
    throw new OpsError('Give either --scope or --full-access: a key with full access has no scopes.');
  if (fullAccess) return { kind: 'full' };
  return scope && scopedTo(scope);
}

const environmentOf = ({ local }: Connection): Environment => (local ? 'test' : 'live');

/** @param more what to add to the key's JSON */
async function show(key: ApiKey, { json }: Options, more: object): Promise<void> {
  const uses = await knownUses([key]);
  console.log(json ? JSON.stringify({ ...view(key, uses), ...more }) : keysTable([key], uses));
}

async function showIssued({ key, text }: IssuedKey, options: Options, more: object): Promise<void> {
  if (!options.json) console.log(`${text}\n\nThis is the only time the key is shown: only its hash is kept.`);
  await show(key, options, { key: text, ...more });
}

withAccess(subcommand('create', 'create a key and show it, once'))
  .requiredOption('--account <account>', 'the account whose data the key opens', parseAccount)
  .requiredOption('--name <name>', 'what the key is for', parseName)
  .action(async (options: Required<Options>) => {
    const access = accessFrom(options);
    if (!access)
      throw new OpsError(
        `Name what the key may do: --scope with one of ${allScopes.join(', ')}, as often as needed, or --full-access. ` +
          'A key without scopes has full access, so leaving the scopes out must not create one.',
      );
    const connection = await connect(options);
    const { account, name } = options;
    const expiresAt = options.expires instanceof Date ? { expiresAt: options.expires.toISOString() } : {};
    const draft = { accountId: account, name, access, ...expiresAt };
    const issued: IssuedKey = issue(draft, environmentOf(connection), new Date());
    const new_account = await noteNewAccount(account);
    await saveKey(issued.key, undefined, await connection.operator());
    await showIssued(issued, options, { new_account });
  });

subcommand('list', 'list the keys of an account, or of all')
  .option('--account <account>', 'only the keys of this account', parseAccount)
  .action(async (options: Options) => {
    await connect(options);
    const keys = await (options.account === undefined ? readAllKeys() : readKeysOf(options.account));
    const uses = await knownUses(keys);
    console.log(options.json ? JSON.stringify(keys.map((key) => view(key, uses))) : keysTable(keys, uses));
  });

subcommand('history', 'list the changes of a key: when, by whom, and what')
  .argument('<key-id>')
  .action((id: string, options: Options) =>
    withKey(id, options, async (key) => {
      const { history, missing } = await keyHistory(key);
      console.log(options.json ? JSON.stringify(history) : historyTable(history));
      if (missing > 0)
        console.error(
          `The key ${id} was changed outside these commands: ${missing} of its ${key.revision} changes ${missing === 1 ? 'is' : 'are'} not recorded.`,
        );
    }),
  );

withAccess(subcommand('update', 'change the name, the access or the end of a key'))
  .argument('<key-id>')
  .option('--name <name>', 'what the key is for', parseName)
  .action((id: string, options: Options) =>
    withKey(id, options, async (key, connection) => {
      assertNotRevoked(key);
      const { name, expires } = options;
      const access = accessFrom(options);
      if (!name && !access && !expires)
        throw new OpsError('Name what to change: --name, --scope, --full-access or --expires.');
      const next = changed(key, { ...(name ? { name } : {}), ...(access ? { access } : {}) });
      if (expires === 'never') delete next.expiresAt;
      else if (expires) next.expiresAt = expires.toISOString();
      const taken = access !== undefined || expires !== undefined;
      const cache_flushed = await save(next, key, connection, { taken });
      await show(next, options, { cache_flushed });
    }),
  );

subcommand(
  'rotate',
  'give a key a new secret; the key id stays, and the old secrets work no longer than the overlap',
)
  .argument('<key-id>')
  .option(
    '--overlap <duration>',
    'how long the old secrets still work, at most: 7d, 12h, or 0 to end them all',
    parseDuration,
    parseDuration('7d'),
  )
  .action((id: string, options: Options) =>
    withKey(id, options, async (key, connection) => {
      const issued = rotated(key, environmentOf(connection), options.overlap as number, new Date());
      const cache_flushed = await save(issued.key, key, connection, { taken: options.overlap === 0 });
      await showIssued(issued, options, { cache_flushed });
    }),
  );

subcommand(
  'revoke',
  'end keys and all their secrets, at once and for good, and list the webhook subscriptions that they made or changed',
)
  .argument('[key-id]')
  .option(
    '--from-file <file>',
    'revoke every key that is in this file, such as a report of a secret scanner; - for standard input',
  )
  .option('--pause-subscriptions', 'pause the webhook subscriptions that the keys have made or changed')
  .action(async (id: string | undefined, options: Options) => {
    const { fromFile, pauseSubscriptions: pauses = false } = options;
    if ((id === undefined) === (fromFile === undefined))
      throw new OpsError('Name either the id of a key, or a file with --from-file.');
    if (id !== undefined)
      return withKey(id, options, async (key, connection) => {
        const next = revoked(key, new Date());
        const cache_flushed = await save(next, key, connection, { taken: true });
        const left = await leftBehindBy([key], pauses);
        await show(next, options, { cache_flushed, subscriptions: left.map(subscriptionView) });
        if (!options.json) console.log(`\n${wordsFor(left)}`);
      });
    const texts = keysInFile(fromFile as string);
    const connection = await connect(options);
    const { keys, known, ended } = await revokeFound(texts, connection);
    // Flushes even without keys, because an earlier run may have died before it flushed the cache.
    const cache_flushed = await flush(connection, { taken: keys.length > 0 });
    const left = await leftBehindBy(keys, pauses);
    const uses = await knownUses(keys);
    if (options.json)
      console.log(
        JSON.stringify({
          keys: keys.map((key) => view(key, uses)),
          found: { texts: texts.length, known, ended },
          cache_flushed,
          subscriptions: left.map(subscriptionView),
        }),
      );
    else if (keys.length > 0) console.log(`${keysTable(keys, uses)}\n\n${wordsFor(left)}`);
    if (keys.length > 0) return;
    console.error(
      `No key was revoked. Texts in ${fromFile} that may be keys: ${texts.length}. Known here: ${known}. Ended before: ${ended}.`,
    );
    process.exitCode = 1;
  });

/** Returns the subscriptions that keys have created or changed. They outlive the keys. */
async function leftBehindBy(keys: readonly ApiKey[], pauses: boolean): Promise<FoundSubscription[]> {
  const found: FoundSubscription[] = [];
  for (const { id, accountId: account } of keys)
    for (const subscription of await subscriptionsOf(account, id)) found.push({ account, subscription });
  return pauses ? changeAll('pause', found) : found;
}

function wordsFor(found: readonly FoundSubscription[]): string {
  if (found.length === 0) return 'No webhook subscription was made or changed with it.';
  const active = found.filter(({ subscription }) => subscription.status === 'active').length;
  return [
    'Webhook subscriptions that were made or changed with it:',
    subscriptionsTable(found),
    active === 0
      ? 'Nothing is sent to any of them.'
      : `${active} of them ${active === 1 ? 'is' : 'are'} still sent to: --pause-subscriptions pauses them.`,
  ].join('\n');
}
