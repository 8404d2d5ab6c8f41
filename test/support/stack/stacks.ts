import { App } from 'aws-cdk-lib';
import cdk from '../../../cdk.json' with { type: 'json' };
import { hasConsole } from '../../../infra/console/console.ts';
import type { ConsolePageFile } from '../../../infra/console/pageFiles.ts';
import { permissions } from '../../../infra/permissions.ts';
import { ApiStack, ConsoleStack, DataStack, ReferenceStack } from '../../../infra/stacks.ts';
import type { StageSettings } from '../../../infra/stages.ts';

/** In the place of those that esbuild makes of the page. */
const pageFiles: ConsolePageFile[] = [
  { name: 'index.html', type: 'text/html; charset=utf-8', content: '<p>page</p>', immutable: false },
  { name: 'app.1A2B3C4D.js', type: 'text/javascript; charset=utf-8', content: 'let a;', immutable: true },
];

/**
 * Creates the stacks of a stage in this process, without bundles: faster than a synth, for tests of constructs.
 * @param code a folder to use as the code of every function
 */
export function stacksOf(
  settings: StageSettings,
  code: string,
): { app: App; data: DataStack; api: ApiStack; console: ConsoleStack | undefined } {
  const app = new App({ context: cdk.context });
  const name = 'public-api-prod';
  const data = new DataStack(app, `${name}-data`, { settings });
  const { tables, inbox, deliveries } = data;
  const bundles = new Map(Object.keys(permissions).map((id) => [id, code]));
  const api = new ApiStack(app, name, { settings, tables, inbox, deliveries, bundles });
  const { baseUrl, alarmTopic } = api;
  if (settings.publishReference) new ReferenceStack(app, `${name}-reference`, { baseUrl, settings });
  const console = hasConsole(settings)
    ? new ConsoleStack(app, `${name}-console`, {
        settings,
        baseUrl,
        alarmTopic,
        tables,
        deliveries,
        bundles,
        pageFiles,
      })
    : undefined;
  return { app, data, api, console };
}
