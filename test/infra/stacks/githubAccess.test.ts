import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import cdk from '../../../cdk.json' with { type: 'json' };
import { GithubAccess } from '../../../infra/stacks/access/githubAccess.ts';
import { root } from '../../support/stack/stackProcess.ts';

const app = new App({ context: cdk.context });
const stacks = ['owner/name', 'owner@12/name@345'].map(
  (repository, i) => new GithubAccess(app, `access-${i}`, { repository, environments: ['dev', 'prod'] }),
);
const [named, numbered] = stacks.map((stack) => Template.fromStack(stack)) as [Template, Template];

/** Who may have a role, and what it may do. */
function roleNamed(name: string, template = numbered) {
  const [[id, role] = []] = Object.entries(template.findResources('AWS::IAM::Role')).filter(([one]) =>
    one.startsWith(name),
  );
  const trust = role?.Properties.AssumeRolePolicyDocument.Statement;
  const statements = Object.values(template.findResources('AWS::IAM::Policy'))
    .filter(({ Properties }) => Properties.Roles[0].Ref === id)
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
  return { trust, statements };
}

interface Claims {
  sub: string;
  aud?: string;
  repository_id?: string;
  ref: string;
  job_workflow_ref: string;
}

/** Whether STS gives a role for a token with these claims, as IAM reads the conditions: every one has to hold. */
function isGiven(role: string, template: Template, claims: Claims): boolean {
  const token: Record<string, string> = { aud: 'sts.amazonaws.com', repository_id: '345', ...claims };
  const [statement, ...others] = roleNamed(role, template).trust;
  expect([statement.Effect, statement.Action, others]).toEqual([
    'Allow',
    'sts:AssumeRoleWithWebIdentity',
    [],
  ]);
  return Object.entries(statement.Condition as Record<string, Record<string, string | string[]>>).every(
    ([operator, keys]) => {
      expect(['StringEquals', 'StringLike']).toContain(operator);
      return Object.entries(keys).every(([key, values]) => {
        const claim = token[key.replace('token.actions.githubusercontent.com:', '')];
        return [values]
          .flat()
          .some((value) =>
            operator === 'StringEquals'
              ? value === claim
              : new RegExp(`^${value.replaceAll('*', '.*')}$`).test(claim ?? ''),
          );
      });
    },
  );
}

const deploying = {
  sub: 'repo:owner@12/name@345:environment:prod',
  ref: 'refs/heads/main',
  job_workflow_ref: 'owner/name/.github/workflows/deploy.yml@refs/heads/main',
};

describe('the role that deploys', () => {
  test.each([
    ['dev', { ...deploying, sub: 'repo:owner@12/name@345:environment:dev' }],
    ['prod', deploying],
    [
      'a repository whose subjects have no ids yet',
      { ...deploying, sub: 'repo:owner/name:environment:prod' },
    ],
  ])('is for the workflow that deploys main: %s', (_, claims) => {
    expect(isGiven('DeployRole', numbered, claims)).toBe(true);
  });

  test.each<[string, Partial<Claims>]>([
    ['an environment that was not named', { sub: 'repo:owner@12/name@345:environment:other' }],
    ['no environment', { sub: 'repo:owner@12/name@345:ref:refs/heads/main' }],
    ['a pull request', { sub: 'repo:owner@12/name@345:pull_request' }],
    [
      'a branch, with the environment that GitHub made when it was named',
      { ref: 'refs/heads/mine', job_workflow_ref: 'owner/name/.github/workflows/deploy.yml@refs/heads/mine' },
    ],
    ['a tag called main', { ref: 'refs/tags/main' }],
    ['another workflow', { job_workflow_ref: 'owner/name/.github/workflows/mine.yml@refs/heads/main' }],
    [
      'a workflow of another repository',
      { job_workflow_ref: 'other/name/.github/workflows/deploy.yml@refs/heads/main' },
    ],
    ['another repository', { sub: 'repo:owner@12/other@345:environment:prod' }],
    ['who took over the name', { sub: 'repo:owner/name:environment:prod', repository_id: '999' }],
    [
      'who took over the name, with ids',
      { sub: 'repo:owner@13/name@999:environment:prod', repository_id: '999' },
    ],
    ['another audience', { aud: 'https://github.com/owner' }],
  ])('is not for %s', (_, claims) => {
    expect(isGiven('DeployRole', numbered, { ...deploying, ...claims })).toBe(false);
  });

  test('may take the roles that cdk bootstrap makes for this, and nothing else', () => {
    const { statements } = roleNamed('DeployRole');
    expect(statements).toMatchObject([{ Effect: 'Allow', Action: 'sts:AssumeRole' }]);
    const become = [...JSON.stringify(statements).matchAll(/role\/cdk-hnb659fds-([a-z-]+)-role-/g)];
    expect(become.map(([, role]) => role)).toEqual(['deploy', 'file-publishing', 'lookup']);
    expect(JSON.stringify(statements)).not.toContain('*');
  });
});

describe('the role that compares', () => {
  const comparing = {
    sub: 'repo:owner@12/name@345:pull_request',
    ref: 'refs/pull/7/merge',
    job_workflow_ref: 'owner/name/.github/workflows/diff.yml@refs/pull/7/merge',
  };

  test('is for the workflow that compares, of pull requests', () => {
    expect(isGiven('DiffRole', numbered, comparing)).toBe(true);
    expect(isGiven('DiffRole', named, { ...comparing, sub: 'repo:owner/name:pull_request' })).toBe(true);
    for (const other of [
      { sub: 'repo:owner@12/name@345:ref:refs/heads/main' },
      { job_workflow_ref: 'owner/name/.github/workflows/mine.yml@refs/pull/7/merge' },
      { job_workflow_ref: 'owner/name/.github/workflows/diff.yml@refs/heads/main' },
      { repository_id: '999' },
    ])
      expect([other, isGiven('DiffRole', numbered, { ...comparing, ...other })]).toEqual([other, false]);
  });

  test('may read the templates of this product, and nothing else', () => {
    const { statements } = roleNamed('DiffRole');
    expect(statements).toMatchObject([
      { Effect: 'Allow', Action: ['cloudformation:DescribeStacks', 'cloudformation:GetTemplate'] },
    ]);
    expect(JSON.stringify(statements)).toMatch(/:stack\/public-api-\*\/\*/);
  });
});

test('the workflows that they trust are those that take a role', () => {
  const trusted = [...JSON.stringify(numbered.toJSON()).matchAll(/\.github\/workflows\/([\w.-]+)@/g)].map(
    ([, file]) => file,
  );
  const taking = globSync('*.yml', { cwd: join(root, '.github', 'workflows') }).filter((file) =>
    readFileSync(join(root, '.github', 'workflows', file), 'utf8').includes('role-to-assume'),
  );
  expect(trusted.sort()).toEqual(taking.sort());
});

test('cdk-nag finds nothing that is not explained', () => {
  expect(new AwsSolutionsChecks(app).validateScope(app).violations).toEqual([]);
});
