import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { exitCodeOf, onSignals } from '../terminal/signals.ts';

interface Surroundings {
  cwd: string;
  env?: NodeJS.ProcessEnv;
}

/** Runs a file with this Node.js, like `runProgram`. */
export const runNode = (args: readonly string[], surroundings: Surroundings) =>
  runProgram(process.execPath, args, surroundings);

/**
 * Runs a program, and ends it with everything that it started when this process ends. It does not block this process, which could then not
 * notice the end of its parent.
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env }: Surroundings,
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  // Its own process group, which can be ended as a whole.
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  const end = () => void (child.pid && process.kill(-child.pid, 'SIGKILL'));
  process.once('exit', end);
  const removeHandlers = onSignals((signal) => process.exit(exitCodeOf(signal)));
  try {
    const [status, stdout, stderr] = await Promise.all([exited, text(child.stdout), text(child.stderr)]);
    return { status, stdout, stderr };
  } finally {
    removeHandlers();
    process.off('exit', end);
  }
}
