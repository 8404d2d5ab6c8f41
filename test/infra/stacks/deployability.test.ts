import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { circularDependencies } from '../../../infra/stacks/checks/circularDependencies.ts';
import { overLimits } from '../../../infra/stacks/checks/limits.ts';
import { type CfnTemplate, readTemplates } from '../../../infra/stacks/checks/templates.ts';
import { type StageSettings, settingsOf } from '../../../infra/stacks/stages/stages.ts';
import { sampleOf } from '../../support/run/sample.ts';
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

describe.each(sampleOf(stages, { name: 'deployability', count: 2 }))('%s', (_, settings) => {
  test('has no circle among its resources or its stacks, and keeps to what AWS allows', () => {
    const templates = templatesOf(settings);
    expect(circularDependencies(templates)).toEqual([]);
    for (const [stack, template] of templates) expect(overLimits(template), stack).toEqual([]);
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

describe('a circle is found', () => {
  const resource = (more: object) => ({ Type: 'AWS::SQS::Queue', ...more });
  const template = (one: object, other: object = {}): Map<string, CfnTemplate> =>
    new Map([['stack', { Resources: { One: resource(one), Other: resource(other) } }]]);
  const back = { Properties: { Of: { Ref: 'One' } } };

  test.each([
    ['Ref', { Properties: { Deep: [{ Of: { Ref: 'Other' } }] } }],
    ['GetAtt', { Properties: { Of: { 'Fn::GetAtt': ['Other', 'Arn'] } } }],
    ['GetAtt as a text', { Properties: { Of: { 'Fn::GetAtt': 'Other.Arn' } } }],
    ['Sub', { Properties: { Of: { 'Fn::Sub': 'arn:${AWS::Region}:${Other.Arn}' } } }],
    ['DependsOn', { DependsOn: 'Other' }],
    ['DependsOn as a list', { DependsOn: ['Other'] }],
    [
      'UpdatePolicy',
      { UpdatePolicy: { CodeDeployLambdaAliasUpdate: { DeploymentGroupName: { Ref: 'Other' } } } },
    ],
  ])('over %s', (_, one) => {
    expect(circularDependencies(template(one, back))).toEqual([['stack/One', 'stack/Other']]);
    expect(circularDependencies(template(one))).toEqual([]);
  });

  test('of a resource with itself', () => {
    expect(circularDependencies(template(back))).toEqual([['stack/One']]);
  });

  test('among conditions', () => {
    const Conditions = { A: { 'Fn::Not': [{ Condition: 'B' }] }, B: { 'Fn::Or': [{ Condition: 'A' }] } };
    expect(circularDependencies(new Map([['stack', { Resources: {}, Conditions }]]))).toEqual([
      ['stack/A', 'stack/B'],
    ]);
  });

  test('among stacks that import from each other, though their resources do not wait for each other', () => {
    const stack = (name: string, from: string): [string, CfnTemplate] => [
      name,
      {
        Resources: {
          Given: resource({}),
          Taker: resource({ Properties: { Of: { 'Fn::ImportValue': from } } }),
        },
        Outputs: { Out: { Value: { Ref: 'Given' }, Export: { Name: name } } },
      },
    ];
    expect(circularDependencies(new Map([stack('a', 'b'), stack('b', 'a')]))).toEqual([['a', 'b']]);
    expect(circularDependencies(new Map([stack('a', 'b'), stack('b', 'elsewhere')]))).toEqual([]);
  });

  test('through the export of another stack', () => {
    const templates = new Map<string, CfnTemplate>([
      [
        'a',
        {
          Resources: { One: resource({ Properties: { Of: { 'Fn::ImportValue': 'two' } } }) },
          Outputs: { Out: { Value: { Ref: 'One' }, Export: { Name: 'one' } } },
        },
      ],
      [
        'b',
        {
          Resources: { Two: resource({ Properties: { Of: { 'Fn::ImportValue': 'one' } } }) },
          Outputs: { Out: { Value: { Ref: 'Two' }, Export: { Name: 'two' } } },
        },
      ],
    ]);
    expect(circularDependencies(templates)).toEqual(
      expect.arrayContaining([expect.arrayContaining(['a/One', 'b/Two'])]),
    );
  });
});

describe('too much is found', () => {
  const one = (Type: string, Properties: object): CfnTemplate =>
    ({ Resources: { One: { Type, Properties } } }) as CfnTemplate;
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`R${i}`, { Type: 'AWS::SNS::Topic' }]));

  test.each<[CfnTemplate, string]>([
    [{ Resources: many(501) }, 'the template has 501 resources; the limit is 500'],
    [one('AWS::Lambda::Function', { Timeout: 901 }), 'One.Timeout has 901 seconds; the limit is 900'],
    [
      one('AWS::Lambda::Function', { FunctionName: 'f'.repeat(65) }),
      'One.FunctionName has 65 characters of a name; the limit is 64',
    ],
    [
      one('AWS::Lambda::Function', { Environment: { Variables: { A: 'a'.repeat(4089) } } }),
      'One.Environment has 4097 characters of environment variables; the limit is 4096',
    ],
    [
      one('AWS::CloudWatch::Alarm', { Metrics: Array.from({ length: 11 }, () => ({})) }),
      'One.Metrics has 11 metrics of an alarm; the limit is 10',
    ],
  ])('%#: %s', (template, sentence) => {
    expect(overLimits(template)).toEqual([sentence]);
  });

  test('in the policies of one role together, and in the permissions of one function', () => {
    const policies = Object.fromEntries(
      ['A', 'B'].map((id) => [
        id,
        {
          Type: 'AWS::IAM::Policy',
          Properties: { Roles: [{ Ref: 'Role' }], PolicyDocument: { S: 'x'.repeat(6000) } },
        },
      ]),
    );
    expect(overLimits({ Resources: policies } as unknown as CfnTemplate)).toEqual([
      expect.stringMatching(
        /^\{"Ref":"Role"\} has 120\d\d characters of inline policies of a role; the limit is 10240$/,
      ),
    ]);
    const inline = { Policies: ['A', 'B'].map(() => ({ PolicyDocument: { S: 'x'.repeat(6000) } })) };
    expect(overLimits(one('AWS::IAM::Role', inline))).toEqual([
      expect.stringMatching(
        /^One.Policies has 120\d\d characters of inline policies of a role; the limit is 10240$/,
      ),
    ]);
    const permissions = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [
        `P${i}`,
        { Type: 'AWS::Lambda::Permission', Properties: { FunctionName: { Ref: 'F' } } },
      ]),
    );
    expect(overLimits({ Resources: permissions } as unknown as CfnTemplate)).toEqual([
      expect.stringContaining('characters of the policy of a function'),
    ]);
  });

  test('what only a deployment knows is taken to be long', () => {
    const Variables = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [`V${i}`, { 'Fn::ImportValue': 'x' }]),
    );
    expect(overLimits(one('AWS::Lambda::Function', { Environment: { Variables } }))).toEqual([
      expect.stringContaining('characters of environment variables'),
    ]);
  });
});
