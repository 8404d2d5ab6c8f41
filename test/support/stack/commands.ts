import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { format } from 'node:util';
import { type Command, CommanderError } from 'commander';
import { inject, vi } from 'vitest';
import type { OpsCommand } from '../../../infra/ops/command.ts';
import { root, scriptCommand } from './stackProcess.ts';

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

type Script =
  | 'keys'
  | 'listen'
  | 'console'
  | 'webhooks'
  | 'accounts'
  | 'import'
  | 'send'
  | 'redrive'
  | 'rehearse'
  | 'restore'
  | 'erase'
  | 'index';

interface Settings {
  env?: Record<string, string>;
  cwd?: string;
}

/**
 * Runs an npm script for ops against the local stack under test. It runs in this process, with modules of its own, which takes a
 * fraction of the time of a process; test/ops/commandLines.test.ts shows that the script is this program. It is a process where it
 * has variables or an input of its own, and where another command runs at the same time.
 */
export async function run(
  script: Script,
  args: string[],
  { input, ...settings }: Settings & { input?: string } = {},
): Promise<Ran> {
  const { env, cwd } = settings;
  if (input === undefined && env === undefined && !runsHere)
    return runHere(script, [...args, ...targetOf(script, args)], cwd);
  const { child, ended } = begin(script, args, settings);
  child.stdin?.end(input ?? '');
  return ended;
}

/**
 * Whether a command runs in this process. A process has one console, one exit code and one environment, so only one
 * command can run at a time.
 */
let runsHere = false;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function runHere(script: Script, args: string[], cwd = root): Promise<Ran> {
  runsHere = true;
  const before = process.cwd();
  const { exitCode } = process;
  const variables = { ...process.env };
  const handlers = signals.map((signal) => process.listeners(signal));
  const ran: Ran = { code: null, stdout: '', stderr: '' };
  const write = (name: 'stdout' | 'stderr') => (text: string) => {
    ran[name] += text;
  };
  const print =
    (name: 'stdout' | 'stderr') =>
    (...values: unknown[]) =>
      write(name)(`${format(...values)}\n`);
  const spies = [
    vi.spyOn(console, 'log').mockImplementation(print('stdout')),
    vi.spyOn(console, 'error').mockImplementation(print('stderr')),
  ];
  try {
    process.exitCode = undefined;
    process.chdir(cwd);
    // A new process has an empty cache, so the modules with caches are loaded again.
    vi.resetModules();
    const { runCommand } = await import('../../../infra/ops/opsError.ts');
    const file = scriptCommand(script).at(-1) as string;
    const { program } = (await import(join(root, file))) as { program: OpsCommand };
    for (const command of withSubcommands(program))
      command.exitOverride().configureOutput({ writeOut: write('stdout'), writeErr: write('stderr') });
    await runCommand(async () => {
      try {
        await program.parseAsync(args, { from: 'user' });
      } catch (error) {
        if (!(error instanceof CommanderError)) throw error;
        process.exitCode = error.exitCode;
      }
    });
    return { ...ran, code: Number(process.exitCode ?? 0) };
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.exitCode = exitCode;
    process.chdir(before);
    for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
    Object.assign(process.env, variables);
    // A process ends with its handlers of signals.
    for (const [i, signal] of signals.entries())
      for (const handler of process.listeners(signal))
        if (!handlers[i]?.includes(handler)) process.off(signal, handler);
    runsHere = false;
  }
}

const withSubcommands = (command: Command): Command[] => [
  command,
  ...command.commands.flatMap((one) => withSubcommands(one as Command)),
];

const targetOf = (script: Script, args: readonly string[]): string[] =>
  script === 'rehearse' || script === 'listen' || args.includes('--stack') || args.includes('--data')
    ? []
    : ['--data', inject('dataFolder') ?? ''];

/** Starts a command as a process, with its standard input open. */
export function begin(
  script: Script,
  args: string[],
  { env = {}, cwd = root }: Settings = {},
): { child: ChildProcess; ended: Promise<Ran> } {
  const [command, ...rest] = scriptCommand(script).map((part) =>
    part.replace(/^(\.\/)?infra\//, `${root}/infra/`),
  ) as [string, ...string[]];
  const child = spawn(command, [...rest, ...args, ...targetOf(script, args)], {
    cwd,
    env: { ...process.env, ...env },
  });
  const ran: Ran = { code: null, stdout: '', stderr: '' };
  child.stdout.on('data', (text) => {
    ran.stdout += text;
  });
  child.stderr.on('data', (text) => {
    ran.stderr += text;
  });
  const ended = new Promise<Ran>((resolve) => child.once('close', (code) => resolve({ ...ran, code })));
  return { child, ended };
}
