import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { ASSET_RESOURCE_METADATA_ENABLED_CONTEXT, PATH_METADATA_ENABLE_CONTEXT } from 'aws-cdk-lib/cx-api';
import cdk from '../cdk.json' with { type: 'json' };
import { bundle } from './bundle/bundle.ts';
import { ApiStack, DataStack } from './stacks.ts';
import { settingsOf, stageNames } from './stages.ts';

// As the CLI hands it over, from cdk.json and of its own: without the CLI, too, the template must be the deployed one.
const app = new App({
  context: {
    ...cdk.context,
    [PATH_METADATA_ENABLE_CONTEXT]: true,
    [ASSET_RESOURCE_METADATA_ENABLED_CONTEXT]: true,
  },
});
const stage: string = app.node.tryGetContext('stage') ?? 'dev';
const settings = settingsOf(stage);
if (!settings) {
  console.error(`There is no stage "${stage}"; there are ${stageNames.join(', ')}`);
  process.exit(1);
}
const name = `public-api-${stage}`;

const bundles = await bundle(process.env.BUNDLE_DIR ?? join(import.meta.dirname, '..', 'build', 'bundle'));
const { tables, inbox, deliveries } = new DataStack(app, `${name}-data`, { settings });
new ApiStack(app, name, { settings, tables, inbox, deliveries, bundles });
app.synth();
