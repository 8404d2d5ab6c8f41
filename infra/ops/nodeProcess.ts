import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SettingsError, type StageSettings, settingsOf } from '../stacks/stages/stages.ts';
import { type CfnTemplate, readTemplates } from '../stacks/templates.ts';
import { OpsError } from '../terminal/opsError.ts';
import { exitCodeOf, onSignals } from '../terminal/signals.ts';

interface Surroundings {
  cwd: string;
  env?: NodeJS.ProcessEnv;
}

/** Runs a file with this Node.js, as `runProgram` does. */
export const runNode = (args: readonly string[], surroundings: Surroundings) =>
  runProgram(process.execPath, args, surroundings);

/**
 * Runs a program, and ends it with everything that it started when this process ends. It does not block this process, which could not
 * notice the end of its parent otherwise.
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

export const root = join(import.meta.dirname, '..', '..');

/** The stage of a command. */
export interface StageOptions {
  stage: string;
  /** Where stages are kept, when it is not infra/stacks/stages. */
  stages?: string;
}

interface MadeTemplates {
  settings: StageSettings;
  /** By stack name. */
  templates: Map<string, CfnTemplate>;
  /** The folder of the assembly. */
  assembly: string;
}

/**
 * Makes the templates of a stage, with all checks.
 * @throws OpsError when the stage does not exist or is invalid, before anything is written under its name, or with the error output of
 *   the CLI
 */
export async function templatesOf({ stage, stages }: StageOptions): Promise<MadeTemplates> {
  const settings = settingsFor(stage, stages);
  const assembly = join(root, 'build', 'rehearsal', stage);
  const context = [`stage=${stage}`, ...(stages === undefined ? [] : [`stages=${stages}`])];
  const file = join(root, 'node_modules', 'aws-cdk', 'bin', 'cdk');
  const args = ['synth', '--quiet', '--output', assembly, ...context.flatMap((one) => ['-c', one])];
  const { status, stderr } = await runNode([file, ...args, '--no-notices', '--no-color'], { cwd: root });
  if (status !== 0) throw new OpsError(`fails  there are no templates: ${stderr.trim()}`);
  return { settings, templates: readTemplates(assembly), assembly };
}

function settingsFor(stage: string, stages?: string): StageSettings {
  try {
    return settingsOf(stage, stages);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw new OpsError(`fails  there are no templates: ${error.message}`);
  }
}
