import { spawn } from 'node:child_process';
import { inject } from 'vitest';
import { root, scriptCommand } from './stackProcess.ts';

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs an npm script for ops against the local stack under test, as ops do. */
export async function run(
  script: 'keys' | 'import',
  args: string[],
  { input = '', env = {}, cwd = root }: { input?: string; env?: Record<string, string>; cwd?: string } = {},
): Promise<Ran> {
  const [command, ...rest] = scriptCommand(script).map((part) =>
    part.replace(/^(\.\/)?infra\//, `${root}/infra/`),
  ) as [string, ...string[]];
  const target =
    args.includes('--stack') || args.includes('--data') ? [] : ['--data', inject('dataFolder') ?? ''];
  const child = spawn(command, [...rest, ...args, ...target], { cwd, env: { ...process.env, ...env } });
  const ran: Ran = { code: null, stdout: '', stderr: '' };
  child.stdout.on('data', (text) => {
    ran.stdout += text;
  });
  child.stderr.on('data', (text) => {
    ran.stderr += text;
  });
  child.stdin.end(input);
  ran.code = await new Promise((resolve) => child.once('close', resolve));
  return ran;
}
