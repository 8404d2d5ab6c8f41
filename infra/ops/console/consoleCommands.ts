import { Option } from 'commander';
import type { Who } from '../../../lib/activity/author.ts';
import { createLink } from '../../../lib/console/consoleLinks.ts';
import { endSessions } from '../../../lib/console/sessions.ts';
import { type Role, roles } from '../../../lib/contract/console/consoleOperation.ts';
import { OpsCommand } from '../../terminal/command.ts';
import { noteNewAccount } from '../accounts/accountContents.ts';
import { connect, type Target, targetOptions } from '../connection.ts';
import { parseAccount } from '../optionValues.ts';

// npm run console -- [link] | end

interface Options extends Target {
  account: string;
  role: Role;
}

export const program = new OpsCommand('console').description(
  'Settings > Integrations: open it for an account, and end its sessions',
);

/** How long people may keep starting sessions while they are ended, before the command fails. */
const limitMs = 60_000;

const subcommand = (name: string, description: string, isDefault = false): OpsCommand =>
  targetOptions(program.command(name, { isDefault }).description(description) as OpsCommand).requiredOption(
    '--account <account>',
    'the account',
    parseAccount,
  );

/**
 * Connects to a system with a console. The commands do not invoke the functions of the product's backend, because those would record the
 * product as the author. @returns the operator
 */
async function openConsole(target: Target): Promise<Who> {
  const connection = await connect(target);
  await connection.useConsole();
  return connection.operator();
}

subcommand('link', 'print a link that opens it once, within a minute; this is the default', true)
  .addOption(
    new Option('--role <role>', 'what the link lets one do: look, or also change')
      .choices(roles)
      .default('admin'),
  )
  .action(async (options: Options) => {
    const { account, role } = options;
    const operator = await openConsole(options);
    await noteNewAccount(account);
    const actor = { id: operator.id.slice(0, 200), name: operator.name.slice(0, 100) };
    const link = await createLink({ account, actor, role }, { operator });
    console.log(options.json ? JSON.stringify(link) : link.url);
    if (!options.json)
      console.error(
        `It opens the account ${account} for ${actor.name} as ${role}, once, until ${link.expires_at}. The session then lasts eight hours at most.`,
      );
  });

subcommand('end', 'end the sessions of an account and its links that were not used yet').action(
  async ({ account, json, ...target }: Options) => {
    const operator = await openConsole(target);
    const answer = await endSessions({ account }, { operator }, Date.now() + limitMs);
    if (json) console.log(JSON.stringify(answer));
    else
      console.log(
        `${answer.ended} ${answer.ended === 1 ? 'session or link has' : 'sessions and links have'} ended.`,
      );
  },
);
