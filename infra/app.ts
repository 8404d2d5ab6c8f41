import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { bundle } from './bundle/bundle.ts';
import { ApiStack, DataStack } from './stacks.ts';
import { settingsOf } from './stages.ts';

const app = new App();
const stage: string = app.node.tryGetContext('stage') ?? 'dev';
const settings = settingsOf(stage);
const name = `public-api-${stage}`;

const bundles = bundle(process.env.BUNDLE_DIR ?? join(import.meta.dirname, '..', 'build', 'bundle'));
const { tables } = new DataStack(app, `${name}-data`, { settings });
new ApiStack(app, name, { settings, tables, bundles });
app.synth();
