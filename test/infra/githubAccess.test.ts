import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import cdk from '../../cdk.json' with { type: 'json' };
import { GithubAccess } from '../../infra/githubAccess.ts';
import { root } from '../support/stackProcess.ts';

const app = new App({ context: cdk.context });
const stack = new GithubAccess(app, 'access', {
  repository: 'owner/name',
  environments: ['dev', 'prod'],
});
const template = Template.fromStack(stack);

/** Who may have a role, and what it may do. */
function roleNamed(name: string) {
  const [[id, role] = []] = Object.entries(template.findResources('AWS::IAM::Role')).filter(([one]) =>
    one.startsWith(name),
  );
  const trust = role?.Properties.AssumeRolePolicyDocument.Statement;
  const statements = Object.values(template.findResources('AWS::IAM::Policy'))
    .filter(({ Properties }) => Properties.Roles[0].Ref === id)
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
  return { trust, statements };
}

const trusted = (subjects: string[]) => [
  expect.objectContaining({
    Effect: 'Allow',
    Action: 'sts:AssumeRoleWithWebIdentity',
    Condition: {
      StringEquals: {
        'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
        'token.actions.githubusercontent.com:sub': subjects,
      },
    },
  }),
];

test('a job of the environments that were named may become the roles that deploy, and no other may', () => {
  const { trust, statements } = roleNamed('DeployRole');
  expect(trust).toEqual(trusted(['repo:owner/name:environment:dev', 'repo:owner/name:environment:prod']));
  expect(statements).toMatchObject([{ Effect: 'Allow', Action: 'sts:AssumeRole' }]);
  const become = [...JSON.stringify(statements).matchAll(/role\/cdk-hnb659fds-([a-z-]+)-role-/g)];
  expect(become.map(([, role]) => role)).toEqual(['deploy', 'file-publishing', 'lookup']);
  expect(JSON.stringify(statements)).not.toContain('*');
});

test('a pull request may read the templates of this product, and nothing else', () => {
  const { trust, statements } = roleNamed('DiffRole');
  expect(trust).toEqual(trusted(['repo:owner/name:pull_request']));
  expect(statements).toMatchObject([
    { Effect: 'Allow', Action: ['cloudformation:DescribeStacks', 'cloudformation:GetTemplate'] },
  ]);
  expect(JSON.stringify(statements)).toMatch(/:stack\/public-api-\*\/\*/);
});

test('cdk-nag finds nothing that is not explained', () => {
  expect(new AwsSolutionsChecks(app).validateScope(app).violations).toEqual([]);
});

describe('who leaves out what it takes, or says it wrong, reads a sentence', () => {
  const run = (context: Record<string, string>) =>
    spawnSync(process.execPath, [join(root, 'infra', 'githubApp.ts')], {
      env: { ...process.env, CDK_CONTEXT_JSON: JSON.stringify(context) },
      encoding: 'utf8',
    });

  test.each([
    [{}, '-c repository= is missing or wrong: it must be a repository of GitHub, like owner/name\n'],
    [
      { repository: 'name', environments: 'dev' },
      '-c repository= is missing or wrong: it must be a repository of GitHub, like owner/name\n',
    ],
    [
      { repository: 'owner/name', environments: '*' },
      '-c environments= is missing or wrong: it must be the environments that deploy to this account, like dev,prod\n',
    ],
  ])('%j', (context, sentence) => {
    const { status, stderr } = run(context as Record<string, string>);
    expect([status, stderr]).toEqual([1, sentence]);
  });
});
