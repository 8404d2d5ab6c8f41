import { App } from 'aws-cdk-lib';
import { afterAll, expect, test } from 'vitest';
import { placeholders } from '../../../infra/stacks/bundle/placeholders.ts';
import { stageStacks } from '../../../infra/stacks/stageStacks.ts';
import { type StageSettings, settingsOf } from '../../../infra/stacks/stages/stages.ts';
import { removeFolder, temporaryFolder } from '../../support/stack/stackProcess.ts';
import type { CfnResource } from '../../support/stack/synth.ts';

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));
const bundles = placeholders(folder);
const role = 'arn:aws:iam::111122223333:role/product';

interface Template {
  Resources: Record<string, CfnResource>;
  Outputs: Record<string, { Value: unknown }>;
}

/** The templates of the data, of the API and of the console, with more settings than prod has. */
function stacksOf(more: Partial<StageSettings>): Template[] {
  const app = new App();
  const settings = { ...settingsOf('prod'), ...more };
  stageStacks(app, 'mine', { settings, bundles, pageFiles: [] });
  const assembly = app.synth();
  return ['mine-data', 'mine', 'mine-console'].map((name) => assembly.getStackArtifact(name).template);
}

const some = stacksOf({ outbox: 'clients', productRole: role });

const ofType = ({ Resources }: Template, type: string, part = '') =>
  Object.entries(Resources).filter(([id, { Type }]) => Type === type && id.includes(part));

test('what the product cannot take is kept among dead letters, and an alarm tells', () => {
  const [data] = some as [Template];
  const [[dead], queue] = [
    ofType(data, 'AWS::SQS::Queue', 'RecordsOutboxDeadLetters'),
    ofType(data, 'AWS::SQS::Queue', 'RecordsOutboxQueue'),
  ];
  expect(queue.map(([, { Properties }]) => Properties.RedrivePolicy)).toEqual([
    { deadLetterTargetArn: { 'Fn::GetAtt': [dead?.[0], 'Arn'] }, maxReceiveCount: 100 },
  ]);
  const alarms = some.flatMap((template) => ofType(template, 'AWS::CloudWatch::Alarm'));
  expect(alarms.map(([, { Properties }]) => Properties.AlarmDescription)).toContainEqual(
    expect.stringContaining('docs/runbook.md#messages-of-the-outbox-were-dead-lettered'),
  );
});

test('the role of the product may send to the inbox, receive from the outbox, delete and ask about records, and make links, and nothing else', () => {
  const found = some.flatMap((template) =>
    Object.entries(template.Resources).flatMap(([id, { Type, Properties }]) => {
      if (!JSON.stringify(Properties ?? {}).includes(role)) return [];
      if (Type === 'AWS::Lambda::Permission')
        return [
          [
            Type,
            Properties.Action,
            id.replace(/.*?(createConsoleLink|endConsoleSessions|deleteRecord|askRecords).*/, '$1'),
          ],
        ];
      return (Properties.PolicyDocument.Statement as { Action: unknown; Principal: unknown }[])
        .filter(({ Principal }) => JSON.stringify(Principal).includes(role))
        .map(({ Action }) => [
          Type,
          Action,
          JSON.stringify(Properties.Queues).replace(/.*(RecordsInboxQueue|RecordsOutboxQueue).*/, '$1'),
        ]);
    }),
  );
  expect(found.sort()).toEqual(
    [
      ['AWS::Lambda::Permission', 'lambda:InvokeFunction', 'createConsoleLink'],
      ['AWS::Lambda::Permission', 'lambda:InvokeFunction', 'endConsoleSessions'],
      ['AWS::Lambda::Permission', 'lambda:InvokeFunction', 'deleteRecord'],
      ['AWS::Lambda::Permission', 'lambda:InvokeFunction', 'askRecords'],
      ['AWS::SQS::QueuePolicy', 'sqs:SendMessage', 'RecordsInboxQueue'],
      [
        'AWS::SQS::QueuePolicy',
        ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility', 'sqs:GetQueueAttributes'],
        'RecordsOutboxQueue',
      ],
    ].sort(),
  );
});
