import { App } from 'aws-cdk-lib';
import cdk from '../../../cdk.json' with { type: 'json' };
import { GithubAccess, repositoryShape } from './githubAccess.ts';

// Implements npm run github:access. Run it once for each AWS account, with permission to create roles.

const app = new App({ context: cdk.context });

/** Returns the value after `-c name=`. Ends the process with a message if the value is missing or wrong. */
function contextValue(name: string, pattern: RegExp, what: string): string {
  const value = app.node.tryGetContext(name);
  if (typeof value === 'string' && pattern.test(value)) return value;
  console.error(`-c ${name}= is missing or wrong: it must be ${what}`);
  process.exit(1);
}

const repository = contextValue(
  'repository',
  repositoryShape,
  'a repository of GitHub, like owner@123/name@456, or owner/name when its subjects have no ids',
);
const environments = contextValue(
  'environments',
  /^[a-z][a-z0-9-]*(,[a-z][a-z0-9-]*)*$/,
  'the environments that deploy to this account, like dev,prod',
).split(',');
new GithubAccess(app, 'public-api-github', { repository, environments });
app.synth();
