import { type ChildProcess, spawn } from 'node:child_process';
import { format } from 'node:util';
import { type Command, CommanderError } from 'commander';
import { inject, vi } from 'vitest';
import type { OpsCommandName } from '../../../infra/ops/ops.ts';
import { env } from '../../../lib/env.ts';
import { root, scriptCommand } from './stackProcess.ts';

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface Settings {
  env?: Record<string, string>;
  cwd?: string;
}

/**
 * Runs a command for ops against the stack under test. It runs in this process, with modules of its own, which takes a
 * fraction of the time of a process; test/infra/terminal/commandLines.test.ts shows that `npm run ops` is this program. It is a process where it
 * has variables or an input of its own, and where another command runs at the same time.
 */
export async function run(
  command: OpsCommandName,
  args: string[],
  { input, ...settings }: Settings & { input?: string | Buffer } = {},
): Promise<Ran> {
  const { env, cwd } = settings;
  if (input === undefined && env === undefined && !runsHere)
    return runHere(command, [...args, ...targetOf(command, args)], cwd);
  const { child, ended } = begin(command, args, settings);
  child.stdin?.end(input ?? '');
  return ended;
}

/**
 * Whether a command runs in this process. A process has one console, one exit code and one environment, so only one
 * command can run at a time.
 */
let runsHere = false;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function runHere(command: OpsCommandName, args: string[], cwd = root): Promise<Ran> {
  runsHere = true;
  const before = process.cwd();
  const { exitCode } = process;
  const variables = { ...process.env };
  // An operator's process has none of the variables of functions.
  for (const name of Object.values(env)) delete process.env[name];
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
    const { runCommand } = await import('../../../infra/terminal/opsError.ts');
    const { opsProgram } = await import('../../../infra/ops/ops.ts');
    const program = await opsProgram([command]);
    for (const one of withSubcommands(program))
      one.exitOverride().configureOutput({ writeOut: write('stdout'), writeErr: write('stderr') });
    await runCommand(async () => {
      try {
        await program.parseAsync([command, ...args], { from: 'user' });
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

function targetOf(command: OpsCommandName, args: readonly string[]): string[] {
  if (command === 'rehearse' || args.includes('--stack') || args.includes('--data')) return [];
  const stack = inject('stackName');
  return stack === undefined ? ['--data', inject('dataFolder') ?? ''] : ['--stack', stack];
}

/** Starts a command as a process, with its standard input open. */
export function begin(
  command: OpsCommandName,
  args: string[],
  { env = {}, cwd = root }: Settings = {},
): { child: ChildProcess; ended: Promise<Ran> } {
  const [node, ...script] = scriptCommand('ops').map((part) =>
    part.replace(/^(\.\/)?infra\//, `${root}/infra/`),
  ) as [string, ...string[]];
  const child = spawn(node, [...script, command, ...args, ...targetOf(command, args)], {
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
