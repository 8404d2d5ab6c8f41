import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { settingsOf } from '../../../infra/stacks/stages/stages.ts';
import { copyProject, removeFolder, temporaryFolder } from '../../support/stack/stackProcess.ts';
import { stacksOf } from '../../support/stack/stacks.ts';
import { fullStages } from '../../support/stack/synth.ts';

const [folder, code] = [temporaryFolder(), temporaryFolder()];
afterAll(() => {
  for (const one of [folder, code]) removeFolder(one);
});

interface Found {
  rule: string;
  path: string;
}

function findingsIn(app: App): Found[] {
  const { violations } = new AwsSolutionsChecks(app).validateScope(app);
  return violations.flatMap(({ ruleName, violatingResources }) =>
    violatingResources.map(({ constructPath = '' }) => ({ rule: ruleName, path: constructPath })),
  );
}

/** As if nothing had been explained. */
function allFindingsIn(app: App): Found[] {
  const prototype = AwsSolutionsChecks.prototype as unknown as { isAcknowledged(): boolean };
  const spy = vi.spyOn(prototype, 'isAcknowledged').mockReturnValue(false);
  onTestFinished(() => spy.mockRestore());
  return findingsIn(app);
}

/** Where something is explained, what, and why. */
const explanationsIn = (app: App): (Found & { reason: string })[] =>
  app.node.findAll().flatMap(({ node }) =>
    node.metadata
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) => Object.entries(data as Record<string, string>))
      .map(([rule, reason]) => ({ path: node.path, rule: rule.replace(/^annotation::/i, ''), reason })),
  );

test('one that nobody has explained ends the synth, and is named', () => {
  const project = copyProject(join(folder, 'project'), { emptyFunctions: true });
  const file = join(project, 'infra', 'stacks', 'data', 'deliveries.ts');
  const explained = readFileSync(file, 'utf8');
  writeFileSync(file, explained.replace('S1: ', 'S999: '));
  const { status, stderr } = spawnSync(process.execPath, [join(project, 'infra', 'app.ts')], {
    cwd: project,
    env: { ...process.env, CDK_OUTDIR: join(folder, 'out'), BUNDLE_DIR: join(folder, 'bundle') },
    encoding: 'utf8',
  });
  expect(stderr).toContain('AwsSolutions-S1');
  expect(status).toBe(1);
});

const stages: [name: string, folder?: string][] = [['dev'], ['prod'], ['small'], ['full', fullStages]];

describe.each(stages)('in the stage %s', (stage, stages) => {
  let app: App;
  beforeAll(() => {
    ({ app } = stacksOf(settingsOf(stage, stages), code));
    // What stacks take from each other is only then called what it is called at last.
    app.synth();
  });

  test('cdk-nag finds nothing that is not explained', () => {
    expect(findingsIn(app)).toEqual([]);
  });

  test('every explanation is one of something that is found, and a sentence', () => {
    const found = allFindingsIn(app);
    expect(found.length).toBeGreaterThan(20);
    for (const { rule, path, reason } of explanationsIn(app)) {
      expect(reason, rule).toMatch(/^[A-Z].{30,}[^.]$/);
      const explained = found.filter((one) => one.rule === rule && one.path.startsWith(`${path}/`));
      expect(explained, `${rule} in ${path}`).not.toEqual([]);
    }
  });
});
