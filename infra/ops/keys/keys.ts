import { InvalidArgumentError } from 'commander';
import type { Access } from '../../../lib/keys/access.ts';
import type { Environment } from '../../../lib/keys/format.ts';
import { keyHistory } from '../../../lib/keys/history.ts';
import { changed, type IssuedKey, issue, revoked, scopedTo } from '../../../lib/keys/key.ts';
import { listKeys, saveKey } from '../../../lib/keys/store.ts';
import { scopes as allScopes } from '../../../lib/resources/index.ts';
import { OpsCommand } from '../../terminal/command.ts';
import { OpsError } from '../../terminal/opsError.ts';
import { contentsOf, isNew } from '../accounts/accountContents.ts';
import { type Connection, connect, type Target, targetOptions } from '../connection.ts';
import { parseAccount, parseDuration, parseExpiry, parseName } from '../values.ts';
import { view } from '../webhooks/subscriptionsOutput.ts';
import { flush } from './flush.ts';
import { historyText, notRecorded } from './historyOutput.ts';
import { assertLive, save, withKey, withNewSecret } from './keyChanges.ts';
import { asJson, asText, view as keyView } from './keysOutput.ts';
import { lastUse, lastUses } from './lastUses.ts';
import { leftBehindBy, wordsFor } from './leftBehind.ts';
import { keysInFile, revokeFound } from './revokeFound.ts';

// npm run keys -- create | list | show | history | update | rotate | revoke

interface Options extends Target {
  json?: boolean;
  account?: string;
  name?: string;
  scope?: string[];
  fullAccess?: boolean;
  expires?: Date | 'never';
  overlap?: number;
  test?: boolean;
  fromFile?: string;
  pauseSubscriptions?: boolean;
}

export const program = new OpsCommand('keys').description(
  'API keys: create, look at, change, rotate and revoke them',
);

function subcommand(name: string, description: string): OpsCommand {
  return targetOptions(program.command(name).description(description)).option('--json', 'print JSON');
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

/** The requested access; undefined when the command line has no option for it. */
function accessFrom({ scope, fullAccess }: Options): Access | undefined {
  if (scope && fullAccess)
    throw new OpsError('Give either --scope or --full-access: a key with full access has no scopes.');
  if (fullAccess) return { kind: 'full' };
  return scope && scopedTo(scope);
}

const formatOf = ({ json }: Options) => (json ? asJson : asText);

/** @throws OpsError when the system would refuse the key */
function environmentOf({ test, stack }: Options, { local, refusesTestKeys }: Connection): Environment {
  if (test && refusesTestKeys)
    throw new OpsError(
      `The stack ${stack} keeps its data, so it refuses keys that begin with pak_test_. Leave --test out.`,
    );
  return test || local ? 'test' : 'live';
}

withAccess(subcommand('create', 'create a key and show it, once'))
  .requiredOption('--account <account>', 'the account whose data the key opens', parseAccount)
  .requiredOption('--name <name>', 'what the key is for', parseName)
  .option('--test', 'a key that begins with pak_test_, as all keys of the local stack do')
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
    const issued: IssuedKey = issue(draft, environmentOf(options, connection), new Date());
    const new_account = isNew(await contentsOf(account));
    await saveKey(issued.key, undefined, await connection.operator());
    console.log(formatOf(options).issued(issued, undefined, { new_account }));
    if (new_account)
      console.error(
        `The account ${account} is new: it had no key, no record and no webhook subscription. ` +
          `If its name is mistyped: revoke ${issued.key.id}`,
      );
  });

subcommand('list', 'list the keys of an account, or of all')
  .option('--account <account>', 'only the keys of this account', parseAccount)
  .action(async (options: Options) => {
    await connect(options);
    const keys = await listKeys(options.account);
    console.log(formatOf(options).many(keys, await lastUses(keys)));
  });

subcommand('show', 'show one key')
  .argument('<key-id>')
  .action((id: string, options: Options) =>
    withKey(id, options, async (key) => {
      const { missing } = await keyHistory(key);
      console.log(formatOf(options).one(key, await lastUse(key), { changes_not_recorded: missing }));
      if (missing > 0) console.error(notRecorded(key, missing));
    }),
  );

subcommand('history', 'list the changes of a key: when, by whom, and what')
  .argument('<key-id>')
  .action((id: string, options: Options) =>
    withKey(id, options, async (key) => {
      const { history, missing } = await keyHistory(key);
      console.log(options.json ? JSON.stringify(history) : historyText(history));
      if (missing > 0) console.error(notRecorded(key, missing));
    }),
  );

withAccess(subcommand('update', 'change the name, the access or the end of a key'))
  .argument('<key-id>')
  .option('--name <name>', 'what the key is for', parseName)
  .action((id: string, options: Options) =>
    withKey(id, options, async (key, connection) => {
      assertLive(key);
      const { name, expires } = options;
      const access = accessFrom(options);
      if (!name && !access && !expires)
        throw new OpsError('Name what to change: --name, --scope, --full-access or --expires.');
      const next = changed(key, { ...(name ? { name } : {}), ...(access ? { access } : {}) });
      if (expires === 'never') delete next.expiresAt;
      else if (expires) next.expiresAt = expires.toISOString();
      const taken = access !== undefined || expires !== undefined;
      const cache_flushed = await save(next, key, connection, { taken });
      console.log(formatOf(options).one(next, await lastUse(next), { cache_flushed }));
    }),
  );

subcommand(
  'rotate',
  'give a key a new secret; the key id stays, and the old secrets work for the overlap at most',
)
  .argument('<key-id>')
  .option(
    '--overlap <duration>',
    'how long the old secrets still work, at most: 7d, 12h, or 0 to end them all',
    parseDuration,
    parseDuration('7d'),
  )
  .option('--test', 'a secret that begins with pak_test_, as all keys of the local stack do')
  .action((id: string, options: Options) =>
    withKey(id, options, async (key, connection) => {
      assertLive(key);
      const issued = await withNewSecret(key, environmentOf(options, connection), options.overlap as number);
      const cache_flushed = await save(issued.key, key, connection, { taken: options.overlap === 0 });
      console.log(formatOf(options).issued(issued, await lastUse(issued.key), { cache_flushed }));
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
    const { fromFile, pauseSubscriptions: pause = false } = options;
    if ((id === undefined) === (fromFile === undefined))
      throw new OpsError('Name either the id of a key, or a file with --from-file.');
    if (id !== undefined)
      return withKey(id, options, async (key, connection) => {
        const next = revoked(key, new Date());
        const cache_flushed = await save(next, key, connection, { taken: true });
        const left = await leftBehindBy([key], { pause });
        const more = { cache_flushed, subscriptions: left.map(view) };
        console.log(formatOf(options).one(next, await lastUse(next), more));
        if (!options.json) console.log(`\n${wordsFor(left)}`);
      });
    const texts = keysInFile(fromFile as string);
    const connection = await connect(options);
    const keys = await revokeFound(texts, connection);
    // Also without keys: a run before this one may have died before it flushed the cache.
    const cache_flushed = await flush(connection, { taken: keys.length > 0 });
    const left = await leftBehindBy(keys, { pause });
    const uses = await lastUses(keys);
    if (options.json)
      console.log(
        JSON.stringify({
          keys: keys.map((key) => keyView(key, uses.get(key.id))),
          cache_flushed,
          subscriptions: left.map(view),
        }),
      );
    else console.log(`${asText.many(keys, uses)}\n\n${wordsFor(left)}`);
  });
