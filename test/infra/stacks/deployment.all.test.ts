import { Template } from 'aws-cdk-lib/assertions';
import { afterAll, expect, test } from 'vitest';
import { type StageSettings, settingsOf } from '../../../infra/stacks/stages/stages.ts';
import { removeFolder, temporaryFolder } from '../../support/stack/stackProcess.ts';
import { stacksOf } from '../../support/stack/stacks.ts';

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

/** The logical id of the deployment: API Gateway serves a change only when this is another one. */
function deploymentWith(change: Partial<StageSettings>): string {
  const { api } = stacksOf({ ...settingsOf('dev'), console: undefined, ...change }, folder);
  return Object.keys(Template.fromStack(api).findResources('AWS::ApiGateway::Deployment')).join();
}

test('another time that the authorizer is cached makes a new deployment', () => {
  const before = deploymentWith({ authorizerCacheSeconds: 60 });
  expect(deploymentWith({ authorizerCacheSeconds: 60 })).toBe(before);
  expect(deploymentWith({ authorizerCacheSeconds: 30 })).not.toBe(before);
});

test('closing the address that AWS gives makes a new deployment', () => {
  const domain = { name: 'api.example.com', certificateArn: 'arn' };
  expect(deploymentWith({ domain })).not.toBe(deploymentWith({}));
});
