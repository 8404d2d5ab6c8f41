import { OpsCommand } from '../terminal/command.ts';
import { supervised } from '../terminal/supervised.ts';

// npm run ops -- <command>; usual ones also have a short name, as in npm run keys --

/** The operators' commands. Each loads what it needs, so a command that the command line names is loaded alone. */
const commands = {
  keys: () => import('./keys/keyCommands.ts'),
  console: () => import('./console/consoleCommands.ts'),
  import: () => import('./lines/import.ts'),
  webhooks: () => import('./webhooks/webhookCommands.ts'),
  accounts: () => import('./accounts/accounts.ts'),
  delete: () => import('./delete.ts'),
  redrive: () => import('./redrive/redrive.ts'),
  restore: () => import('./restore/restore.ts'),
  index: () => import('./index/indexCommands.ts'),
  outbox: () => import('./outboxCommands.ts'),
  env: () => import('./envCommand.ts'),
  rehearse: () => import('./rehearse.ts'),
  price: () => import('./price/price.ts'),
  app: () => import('./app/appCommands.ts'),
} satisfies Record<string, () => Promise<{ program: OpsCommand }>>;

export type OpsCommandName = keyof typeof commands;

const isName = (word: string): word is OpsCommandName => Object.hasOwn(commands, word);

/** Returns the program for a command line: only the command that its first word names, or else all commands. */
export async function opsProgram([first = '']: readonly string[]): Promise<OpsCommand> {
  const program = new OpsCommand('npm run ops --').description('The commands for those who operate the API');
  const loaded = isName(first) ? [commands[first]] : Object.values(commands);
  for (const load of loaded) program.addCommand((await load()).program);
  return program;
}

if (import.meta.main) await supervised(async () => (await opsProgram(process.argv.slice(2))).main());
