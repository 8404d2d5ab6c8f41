import { Option } from 'commander';
import { createLink } from '../../../lib/console/links.ts';
import { endSessions } from '../../../lib/console/sessions.ts';
import { type Role, roles } from '../../../lib/contract/console/operation.ts';
import type { Actor } from '../../../lib/contract/console/session.ts';
import { OpsCommand } from '../../terminal/command.ts';
import { newAccountFlag, newAccountNote, noteNewAccount } from '../accounts/newAccount.ts';
import { type Target, targetOptions } from '../connection.ts';
import { parseAccount, parseActorId, parseName } from '../values.ts';
import { connectConsole } from './connectConsole.ts';

// npm run console -- [link] | end

interface Options extends Target {
  account: string;
  role: Role;
  actor?: string;
  actorId?: string;
  newAccount?: boolean;
  json?: boolean;
}

export const program = new OpsCommand('console').description(
  'Settings > Integrations: open it for an account, and end its sessions',
);

/** How long people may start sessions while they are ended, before the command gives up. */
const limitMs = 60_000;

const subcommand = (name: string, description: string, isDefault = false): OpsCommand =>
  targetOptions(program.command(name, { isDefault }).description(description) as OpsCommand)
    .requiredOption('--account <account>', 'the account', parseAccount)
    .option('--json', 'print JSON') as OpsCommand;

/** The person of the session: the one that is named, otherwise the operator. */
const actorOf = ({ actor }: Options, { id, name }: Actor): Actor =>
  actor === undefined ? { id: id.slice(0, 200), name: name.slice(0, 100) } : { id: actor, name: actor };

subcommand('link', 'print a link that opens it once, within a minute; this is the default', true)
  .addOption(
    new Option('--role <role>', 'what the link lets one do: look, or also change')
      .choices(roles)
      .default('admin'),
  )
  .option(newAccountFlag, newAccountNote)
  .option('--actor <name>', 'the name that it shows and records; by default your own', parseName)
  .action(async (options: Options) => {
    const { account, role } = options;
    const operator = await (await connectConsole(options)).operator();
    await noteNewAccount(account, options);
    const actor = actorOf(options, operator);
    const link = await createLink({ account, actor, role }, { operator });
    console.log(options.json ? JSON.stringify(link) : link.url);
    if (!options.json)
      console.error(
        `It opens the account ${account} for ${actor.name} as ${role}, once, until ${link.expires_at}. The session then lasts eight hours at most.`,
      );
  });

subcommand('end', 'end the sessions of an account and its links that were not used yet')
  .option('--actor-id <id>', 'only those of the person with this id', parseActorId)
  .action(async (options: Options) => {
    const { account, actorId } = options;
    const operator = await (await connectConsole(options)).operator();
    const input = { account, ...(actorId === undefined ? {} : { actor_id: actorId }) };
    const answer = await endSessions(input, { operator }, Date.now() + limitMs);
    if (options.json) console.log(JSON.stringify(answer));
    else
      console.log(
        `${answer.ended} ${answer.ended === 1 ? 'session or link has' : 'sessions and links have'} ended.`,
      );
  });
