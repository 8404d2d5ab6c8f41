import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StageSettings, settingsOf } from '../../../infra/stacks/stages/stages.ts';
import { type CfnTemplate, circularDependencies, readTemplates } from '../../../infra/stacks/templates.ts';
import { removeFolder, temporaryFolder } from '../../support/stack/stackProcess.ts';
import { stacksOf } from '../../support/stack/stacks.ts';
import { fullStages } from '../../support/stack/synth.ts';

// What CloudFormation would refuse, found without it, in every stage and in combinations of settings that no stage has.

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => removeFolder(folder));

const templatesOf = (settings: StageSettings): Map<string, CfnTemplate> => {
  const { directory } = stacksOf(settings, folder).app.synth();
  const templates = readTemplates(directory);
  removeFolder(directory);
  return templates;
};

const dev = settingsOf('dev');
const full = settingsOf('full', fullStages);

/** Each of these turns one setting from what dev has into something else. */
const changes: Partial<StageSettings>[] = [
  { keepData: true },
  { tracing: false },
  { domain: full.domain, console: full.console },
  { domain: { ...(full.domain as NonNullable<typeof full.domain>), hostedZone: undefined } },
  { minimumTls: '1.3' },
  { tlsHostCheck: false },
  { firewall: full.firewall },
  { gradualDeployment: 'Canary10Percent15Minutes' },
  { alarmEmail: 'ops@example.com', activityDays: 30 },
  { publishReference: false, console: undefined },
  { authorizerCacheSeconds: 0, functionMemoryMb: { authorizer: 1769 } },
];

/**
 * Combinations in which every two settings meet as they are in dev, both changed, and one changed only: the design of Plackett
 * and Burman for eleven factors in twelve runs.
 */
const firstRun = [1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0];
const combinations = Array.from({ length: 12 }, (_, run) =>
  changes.filter((_change, factor) => run < 11 && firstRun[(factor + run) % 11] === 1),
);

const stages: [name: string, settings: StageSettings][] = [
  ['dev', dev],
  ['prod', settingsOf('prod')],
  ['full', full],
  ...combinations.map((chosen): [string, StageSettings] => [
    `dev with ${chosen.flatMap(Object.keys).join(', ') || 'nothing else'}`,
    Object.assign({}, dev, ...chosen),
  ]),
];

test('every two settings meet in a combination', () => {
  for (const [i, one] of changes.entries())
    for (const other of changes.slice(i + 1)) {
      const seen = new Set(combinations.map((chosen) => `${chosen.includes(one)},${chosen.includes(other)}`));
      expect(seen.size, JSON.stringify([one, other])).toBe(4);
    }
});

describe.each(stages)('%s', (_, settings) => {
  test('has no circle among its resources or its stacks', () => {
    const templates = templatesOf(settings);
    expect(circularDependencies(templates)).toEqual([]);
    const api = [...templates.values()].flatMap(({ Resources }) => Object.entries(Resources));
    const rules = new Map(
      api.flatMap(([id, { Type, Properties }]) =>
        Type === 'AWS::CloudWatch::InsightRule' ? [[Properties?.RuleName, id] as const] : [],
      ),
    );
    const alarms = api.flatMap(([id, one]) =>
      one.Type === 'AWS::CloudWatch::Alarm'
        ? [...JSON.stringify(one.Properties).matchAll(/INSIGHT_RULE_METRIC\('([^']+)'/g)].map(
            ([, name]) => [id, one.DependsOn, rules.get(name)] as const,
          )
        : [],
    );
    expect(alarms).toHaveLength(rules.size);
    for (const [alarm, dependsOn, rule] of alarms) expect(dependsOn, alarm).toContain(rule);
  });
});

test('a pace at which a deployment would outlive its credentials is refused', () => {
  expect(() => templatesOf({ ...dev, gradualDeployment: 'Linear10PercentEvery2Minutes' })).toThrow(
    /With gradualDeployment Linear10PercentEvery2Minutes, \d+ functions take 140 minutes, 5 at a time, and a deployment has 120/,
  );
});
