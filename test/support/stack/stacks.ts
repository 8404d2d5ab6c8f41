import { App } from 'aws-cdk-lib';
import cdk from '../../../cdk.json' with { type: 'json' };
import type { PageFile } from '../../../infra/pages/pageHeaders.ts';
import { permissions } from '../../../infra/stacks/permissions.ts';
import { stageStacks } from '../../../infra/stacks/stageStacks.ts';
import type { StageSettings } from '../../../infra/stacks/stages/stages.ts';

/** In the place of those that esbuild makes of the page. */
const pageFiles: PageFile[] = [
  { name: 'index.html', type: 'text/html; charset=utf-8', content: '<p>page</p>', immutable: false },
  { name: 'app.1A2B3C4D.js', type: 'text/javascript; charset=utf-8', content: 'let a;', immutable: true },
];

/**
 * Creates the stacks of a stage in this process, without bundles: faster than a synth, for tests of constructs.
 * @param code a folder to use as the code of every function
 */
export function stacksOf(settings: StageSettings, code: string) {
  const app = new App({ context: cdk.context });
  const bundles = new Map(Object.keys(permissions).map((id) => [id, code]));
  return { app, ...stageStacks(app, 'public-api-prod', { settings, bundles, pageFiles }) };
}
