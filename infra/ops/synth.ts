import { join } from 'node:path';
import { SettingsError, type StageSettings, settingsOf } from '../stacks/stages/stages.ts';
import { readTemplates } from '../stacks/templates.ts';
import { OpsError } from '../terminal/opsError.ts';
import { runNode } from './nodeProcess.ts';

export const root = join(import.meta.dirname, '..', '..');

export interface StageOptions {
  stage: string;
  /** The folder with the stages, unless it is infra/stacks/stages. */
  stages?: string;
}

/**
 * Creates the templates of a stage, with all checks.
 * @throws OpsError if the stage does not exist or is invalid, before anything is written under its name, or with the error output of the CLI
 */
export async function templatesOf({ stage, stages }: StageOptions) {
  const settings = settingsFor(stage, stages);
  const assembly = join(root, 'build', 'rehearsal', stage);
  const context = [`stage=${stage}`, ...(stages === undefined ? [] : [`stages=${stages}`])];
  const file = join(root, 'node_modules', 'aws-cdk', 'bin', 'cdk');
  const args = ['synth', '--quiet', '--output', assembly, ...context.flatMap((one) => ['-c', one])];
  const { status, stderr } = await runNode([file, ...args, '--no-notices', '--no-color'], { cwd: root });
  if (status !== 0) throw new OpsError(`There are no templates: ${stderr.trim()}`);
  return { settings, templates: readTemplates(assembly), assembly };
}

function settingsFor(stage: string, stages?: string): StageSettings {
  try {
    return settingsOf(stage, stages);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw new OpsError(`There are no templates: ${error.message}`);
  }
}
