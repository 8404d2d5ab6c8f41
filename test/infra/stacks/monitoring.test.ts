import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { operations } from '../../../lib/contract/index.ts';
import { env } from '../../../lib/env.ts';
import { counts, editsMet, lateness, timed } from '../../../lib/logs/metrics.ts';
import { runbook } from '../../support/documents/documents.ts';
import { anchorOf } from '../../support/documents/prose.ts';
import { root } from '../../support/stack/stackProcess.ts';
import { type CfnResource, synthesizedProd } from '../../support/stack/synth.ts';

const name = 'public-api-prod';

const prod = await synthesizedProd();
const allAlarms = prod.ofType('AWS::CloudWatch::Alarm');
const alarms = allAlarms.map(([, { Properties }]) => Properties);
/** The part of the runbook that has a heading for each of them. */
const ofAlarms = /^## Alarms\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(runbook)?.[1] as string;

interface MetricShape {
  Namespace: string;
  MetricName: string;
  Dimensions?: { Name: string; Value: unknown }[];
}

/** The metrics that an alarm looks at. */
const metricsOf = (alarm: CfnResource['Properties']): MetricShape[] =>
  alarm.MetricName
    ? [alarm]
    : alarm.Metrics.flatMap(({ MetricStat }: { MetricStat?: { Metric: MetricShape } }) =>
        MetricStat ? [MetricStat.Metric] : [],
      );

/** Those of releases, one for each function, share theirs. */
const headingOf = ({ AlarmName }: CfnResource['Properties']): string =>
  AlarmName.replace(/^\S+ /, '').replace(/^A release of \w+ fails$/, 'A release fails');

describe('the runbook', () => {
  test('has a heading for each alarm, in whose mail it is named, and an alarm for each heading', () => {
    const headings = [...ofAlarms.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading as string);
    const ofOutbox = ['Messages of the outbox were dead-lettered', 'Nobody reads the outbox'];
    const named = new Set([...alarms.map(headingOf), ...ofOutbox]);
    expect([...named].toSorted()).toEqual(headings.toSorted());
    for (const alarm of alarms) {
      const anchor = anchorOf(headingOf(alarm));
      expect(alarm.AlarmDescription).toMatch(
        new RegExp(`^[A-Z].*\\. What to do: docs/runbook\\.md#${anchor}$`),
      );
    }
  });

  test('says under each what it is, how to look, and what to do', () => {
    for (const part of ofAlarms.split(/^### .+$/m).slice(1)) {
      const [before, code, after] = part.split(/^```(?:sh)?$/m);
      for (const text of [before, code, after]) expect(text?.trim(), part).not.toBe('');
    }
  });

  test('looks only for lines that are logged, and asks only for outputs that there are', () => {
    const source = globSync('lib/**/*.ts', { cwd: root })
      .map((file) => readFileSync(join(root, file), 'utf8'))
      .join();
    const named = [...runbook.matchAll(/(?:message (?:= |in \[)|^said )("[^\]\n|']+?"(?:, "[^"]+")*)/gm)]
      .flatMap(([, list]) => [...(list as string).matchAll(/"([^"]+)"/g)])
      .map(([, message]) => message as string);
    expect(named.length).toBeGreaterThan(10);
    for (const message of named) expect(source).toContain(`'${message}'`);
    // These need the setting `outbox`, as the alarms above do. outbox.test.ts switches it on.
    const ofOutbox = ['RecordsOutboxUrl', 'RecordsOutboxDeadLettersUrl', 'RecordsOutboxDeadLettersArn'];
    const outputs = { ...prod.outputs, ...Object.fromEntries(ofOutbox.map((output) => [output, ''])) };
    for (const [, output] of runbook.matchAll(/\$\(output (\w+)\)/g))
      expect(outputs).toHaveProperty(output as string);
    expect(prod.outputs).toHaveProperty('DashboardUrl');
  });
});

describe('the alarms', () => {
  test('watch every queue and every table', () => {
    const watched = JSON.stringify(alarms.flatMap(metricsOf));
    for (const type of ['AWS::SQS::Queue', 'AWS::DynamoDB::GlobalTable'])
      for (const [id] of prod.ofType(type)) expect(watched).toContain(id);
  });

  test('look at metrics of ours that are written, by what they are written by', () => {
    process.env[env.functionVersion] = '1';
    onTestFinished(() => void delete process.env[env.functionVersion]);
    const written = [
      timed('failed', 1, 'keys_not_checked'),
      timed('refused', 1, 'keys_refused'),
      counts('links_refused'),
      counts('refusals'),
      timed('5xx', 1),
      lateness('overdue_seconds', 1),
      lateness('index_lag_seconds', 1),
      counts('index_differences', 0),
      editsMet({ kept: 0, overwritten: 1 }),
      counts('unreadable_lines', 0),
      lateness('usage_late_seconds', 1),
    ].flatMap(
      ({ _aws }) =>
        (_aws as { CloudWatchMetrics: { Dimensions: string[][]; Metrics: { Name: string }[] }[] })
          .CloudWatchMetrics,
    );
    const ours = alarms.flatMap(metricsOf).filter(({ Namespace }) => Namespace.startsWith(name));
    expect(ours).toHaveLength(12 + operations.length);
    for (const { MetricName, Dimensions = [] } of ours) {
      const names = Dimensions.map(({ Name }) => Name);
      expect(written).toContainEqual(
        expect.objectContaining({
          Dimensions: expect.arrayContaining([names]),
          Metrics: [expect.objectContaining({ Name: MetricName })],
        }),
      );
    }
    const namespaces = prod
      .ofType('AWS::Lambda::Function')
      .map(([, { Properties }]) => Properties.Environment?.Variables.METRICS_NAMESPACE);
    expect(new Set(namespaces.filter(Boolean))).toEqual(new Set([name, `${name}-console`]));
  });

  test('tell their beginning and their end to a topic that is encrypted, and that nothing but alarms of this account may write to', () => {
    const [[topic, { Properties }]] = prod.ofType('AWS::SNS::Topic') as [[string, CfnResource]];
    const told = [
      [{ Ref: topic }],
      [{ 'Fn::ImportValue': expect.stringMatching(new RegExp(`^${name}:ExportsOutputRef${topic}`)) }],
    ];
    for (const { AlarmName, AlarmActions, OKActions } of alarms) {
      const actions = told[AlarmName.startsWith(`${name}-console `) ? 1 : 0];
      expect([AlarmActions, OKActions]).toEqual([actions, actions]);
    }
    const ofAlarms = {
      Effect: 'Allow',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    };
    const [[, policy]] = prod.ofType('AWS::SNS::TopicPolicy') as [[string, CfnResource]];
    expect(policy.Properties.PolicyDocument.Statement).toMatchObject([
      { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
      { ...ofAlarms, Action: 'sns:Publish' },
    ]);
    const keys = new Map(prod.ofType('AWS::KMS::Key'));
    const key = keys.get(Properties.KmsMasterKeyId['Fn::GetAtt'][0]) as CfnResource;
    expect(key.DeletionPolicy).toBe('Delete');
    expect(key.Properties.KeyPolicy.Statement).toContainEqual(
      expect.objectContaining({ ...ofAlarms, Action: ['kms:Decrypt', 'kms:GenerateDataKey'] }),
    );
  });
});
