import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import {
  ASSET_RESOURCE_METADATA_ENABLED_CONTEXT,
  DISABLE_ASSET_STAGING_CONTEXT,
  DISABLE_METADATA_STACK_TRACE,
  PATH_METADATA_ENABLE_CONTEXT,
} from 'aws-cdk-lib/cx-api';
import cdk from '../cdk.json' with { type: 'json' };
import { placeholders } from './stacks/bundle/placeholders.ts';
import { type StageParts, stageStacks } from './stacks/stageStacks.ts';
import { SettingsError, type StageSettings, settingsOf } from './stacks/stages/stages.ts';

// `npm start` needs only the template, and needs it soon. It bundles the code later, and `cdk synth` and the tests run the checks.
const standIns = process.env.PLACEHOLDERS;

/** Returns the app with the stacks of the stage in `-c stage=`. If you add your own stacks, call `app.synth()` at the end. */
export async function postern() {
  // The context that the CDK CLI would set. Without the CLI, the template must be the same as the deployed one.
  const app = new App({
    context: {
      ...cdk.context,
      [PATH_METADATA_ENABLE_CONTEXT]: true,
      [ASSET_RESOURCE_METADATA_ENABLED_CONTEXT]: true,
      ...(standIns === undefined
        ? {}
        : { [DISABLE_ASSET_STAGING_CONTEXT]: true, [DISABLE_METADATA_STACK_TRACE]: true }),
    },
  });
  assertKnownContext(Object.keys(app.node.getAllContext()));
  const stage: string = app.node.tryGetContext('stage') ?? 'dev';
  const settings = settingsOrExit(stage, app.node.tryGetContext('stages'));
  const name = `public-api-${stage}`;

  const code =
    standIns === undefined ? await builtCode(settings) : { bundles: placeholders(standIns), pageFiles: [] };
  // The local stack always has an outbox, and serves the reference itself.
  const local =
    standIns === undefined
      ? {}
      : { outbox: settings.outbox ?? ('clients' as const), publishReference: false };
  const stacks = stageStacks(app, name, { settings: { ...settings, ...local }, ...code });
  return { app, settings, ...stacks };
}

if (import.meta.main) {
  const { app } = await postern();
  // Apps with their own stacks choose which checks run.
  if (standIns === undefined) {
    const { AwsSolutionsChecks } = await import('cdk-nag');
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  }
  app.synth();
}

async function builtCode(settings: StageSettings): Promise<Pick<StageParts, 'bundles' | 'pageFiles'>> {
  const { bundle } = await import('./stacks/bundle/bundle.ts');
  const { consolePageFiles } = await import('./pages/consoleFiles.ts');
  return {
    bundles: await bundle(process.env.BUNDLE_DIR ?? join(import.meta.dirname, '..', 'build', 'bundle')),
    pageFiles: await consolePageFiles(settings.console?.brand),
  };
}

/** Refuses unknown names after `-c`. If `-c stage=` were misspelt, the default stage dev would be deployed. */
function assertKnownContext(names: string[]): void {
  const known = ['stage', 'stages'];
  // Names of CDK itself are in cdk.json, have a colon, or begin with @.
  const theirs = (name: string) => name in cdk.context || /^@|:/.test(name);
  const unknown = names.filter((name) => !known.includes(name) && !theirs(name));
  if (unknown.length === 0) return;
  console.error(
    `-c ${unknown.join(', -c ')}: not known here; allowed are ${known.map((name) => `-c ${name}=…`).join(' and ')}`,
  );
  process.exit(1);
}

/** @param folder a folder of stage settings outside this project */
function settingsOrExit(stage: string, folder: string | undefined): StageSettings {
  try {
    return settingsOf(stage, folder);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
