import { App } from 'aws-cdk-lib';
import cdk from '../../../cdk.json' with { type: 'json' };
import { permissions } from '../../../infra/permissions.ts';
import { ApiStack, DataStack, ReferenceStack } from '../../../infra/stacks.ts';
import type { StageSettings } from '../../../infra/stages.ts';

/**
 * Creates the stacks of a stage in this process, without bundles: faster than a synth, for tests of constructs.
 * @param code a folder to use as the code of every function
 */
export function stacksOf(settings: StageSettings, code: string): { app: App; api: ApiStack } {
  const app = new App({ context: cdk.context });
  const { tables, inbox, deliveries } = new DataStack(app, 'data', { settings });
  const bundles = new Map(Object.keys(permissions).map((id) => [id, code]));
  const api = new ApiStack(app, 'api', { settings, tables, inbox, deliveries, bundles });
  if (settings.publishReference) new ReferenceStack(app, 'reference', { baseUrl: api.baseUrl, settings });
  return { app, api };
}
