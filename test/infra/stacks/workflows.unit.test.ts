import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../../support/stack/stackProcess.ts';

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}

interface Job {
  if?: string;
  needs?: string | string[];
  uses?: string;
  environment?: string;
  permissions?: Record<string, string>;
  steps?: Step[];
}

interface Workflow {
  permissions: Record<string, string>;
  concurrency: { group: string };
  jobs: Record<string, Job>;
}

const files = globSync('.github/workflows/*', { cwd: root }).sort();
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');
const workflow = (name: string): Workflow => parse(textOf(`.github/workflows/${name}.yml`));
const jobsOf = (file: string): Job[] => Object.values((parse(textOf(file)) as Workflow).jobs);
const stepsOf = (file: string): Step[] => jobsOf(file).flatMap(({ steps = [] }) => steps);

const withOf = (steps: readonly Step[], action: string) =>
  steps.find(({ uses }) => uses?.startsWith(`${action}@`))?.with;

test('updates come for each folder with a lock file, and for the actions', () => {
  const { updates } = parse(textOf('.github/dependabot.yml')) as {
    updates: { 'package-ecosystem': string; directories?: string[] }[];
  };
  const [npm, actions] = updates;
  const folders = globSync('**/package-lock.json', {
    cwd: root,
    exclude: ['**/node_modules', 'build', '.local'],
  })
    .map((file) => `/${dirname(file)}`.replace('/.', '/'))
    .sort();
  expect(npm).toMatchObject({ 'package-ecosystem': 'npm', directories: folders });
  expect(actions).toMatchObject({ 'package-ecosystem': 'github-actions' });
});

const publishes = ({ steps = [] }: Job): boolean =>
  steps.some(({ uses }) => uses?.startsWith('actions/deploy-pages@'));

describe.each(files)('%s', (file) => {
  test('is a workflow to GitHub’s own parser, down to the last expression', async () => {
    const { context, value } = parseWorkflow(
      { name: file, content: textOf(file) },
      new NoOperationTraceWriter(),
    );
    if (value) await convertWorkflowTemplate(context, value);
    expect(context.errors.getErrors().map(({ message }) => message)).toEqual([]);
  });

  test('uses what is pinned to a commit, whose version stands beside it, and workflows that are here', () => {
    for (const [, used, rest] of textOf(file).matchAll(/uses: (\S+)(.*)/g))
      if (used?.startsWith('./')) expect(existsSync(join(root, used)), used).toBe(true);
      else expect(`${used}${rest}`).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('may read the code, and only a job that takes a role or publishes pages may say who it is', () => {
    const { permissions } = parse(textOf(file)) as Workflow;
    expect(permissions).toEqual({ contents: 'read' });
    for (const job of jobsOf(file)) {
      const { permissions: own, steps = [] } = job;
      if (publishes(job)) {
        expect(own).toEqual({ pages: 'write', 'id-token': 'write' });
        expect(steps.filter(({ run }) => run)).toEqual([]);
        continue;
      }
      const takesRole = steps.some(({ uses }) => uses?.startsWith('aws-actions/configure-aws-credentials@'));
      expect(own).toEqual(takesRole ? { contents: 'read', 'id-token': 'write' } : undefined);
    }
  });

  test('keeps no secret, and puts nothing that somebody wrote into a command', () => {
    expect(textOf(file)).not.toContain('secrets.');
    for (const { run = '' } of stepsOf(file)) expect(run).not.toContain('${{');
  });

  test('runs the CDK CLI alone where it may say who it is, on what a job made that may not', () => {
    const { jobs } = parse(textOf(file)) as Workflow;
    for (const job of Object.values(jobs)) {
      const { permissions: own = {}, needs = [], steps = [] } = job;
      if (!('id-token' in own) || publishes(job)) continue;
      const [installed, ...run] = steps.flatMap(({ run = [] }) => run);
      expect(installed).toBe('npm ci --ignore-scripts');
      for (const command of run)
        expect(command).toMatch(/npm run (--silent )?(deploy|diff) -- --app build\/cdk\.out /);
      expect(withOf(steps, 'actions/download-artifact')).toEqual({ name: 'assembly', path: 'build/cdk.out' });
      const makers = [needs].flat().flatMap((name) => jobs[name] ?? []);
      const maker = makers.find(({ steps = [] }) => withOf(steps, 'actions/upload-artifact'));
      expect(maker?.permissions).toBeUndefined();
      expect(maker?.steps?.flatMap(({ run = [] }) => run)).toEqual([
        'npm ci',
        expect.stringMatching(/^npm run synth -- --context /),
      ]);
      // Without hidden files, the sites would have no .well-known.
      expect(withOf(maker?.steps ?? [], 'actions/upload-artifact')).toMatchObject({
        name: 'assembly',
        path: 'build/cdk.out',
        'include-hidden-files': true,
        'if-no-files-found': 'error',
      });
    }
  });

  test('does not run beside itself, but for the checks of main', () => {
    expect((parse(textOf(file)) as Workflow).concurrency.group).toMatch(/ (github\.ref|inputs\.stage) \}\}$/);
  });
});

test('the check is what a clean checkout has to pass, without the rules that a fork need not keep', () => {
  const commands = stepsOf('.github/workflows/check.yml').flatMap(({ run }) => run ?? []);
  const ci = textOf('.ci/run')
    .split('\n')
    .filter((line) => line.startsWith('npm ') && line !== 'npm run test:house');
  const whole = (command: string) => command.replace(' -- --shard="$SHARD/4"', '');
  expect(new Set(commands.map(whole))).toEqual(new Set(ci));
});

test('nothing is deployed from another branch than main', () => {
  for (const job of Object.values(workflow('deploy').jobs))
    expect(job.if).toBe("github.ref == 'refs/heads/main'");
});

test('a stage is deployed after the check, and when the rules of its environment are met', () => {
  const { check, deploy } = workflow('deploy').jobs;
  expect(check?.uses).toBe('./.github/workflows/check.yml');
  expect(deploy).toMatchObject({ needs: ['check', 'build'], environment: '${{ inputs.stage }}' });
});
