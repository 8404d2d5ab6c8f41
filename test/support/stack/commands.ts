import { type ChildProcess, spawn } from 'node:child_process';
import { inject } from 'vitest';
import { root, scriptCommand } from './stackProcess.ts';

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

type Script = 'keys' | 'webhooks' | 'accounts' | 'import' | 'send' | 'redrive' | 'rehearse' | 'restore';

interface Settings {
  env?: Record<string, string>;
  cwd?: string;
}

/** Runs an npm script for ops against the local stack under test, as ops do. */
export async function run(
  script: Script,
  args: string[],
  { input = '', ...settings }: Settings & { input?: string } = {},
): Promise<Ran> {
  const { child, ended } = begin(script, args, settings);
  child.stdin?.end(input);
  return ended;
}

/** Begins it, with its standard input open. */
export function begin(
  script: Script,
  args: string[],
  { env = {}, cwd = root }: Settings = {},
): { child: ChildProcess; ended: Promise<Ran> } {
  const [command, ...rest] = scriptCommand(script).map((part) =>
    part.replace(/^(\.\/)?infra\//, `${root}/infra/`),
  ) as [string, ...string[]];
  const target =
    script === 'rehearse' || args.includes('--stack') || args.includes('--data')
      ? []
      : ['--data', inject('dataFolder') ?? ''];
  const child = spawn(command, [...rest, ...args, ...target], { cwd, env: { ...process.env, ...env } });
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
