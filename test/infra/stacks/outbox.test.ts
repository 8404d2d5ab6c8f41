import { App } from 'aws-cdk-lib';
import { afterAll, expect, test } from 'vitest';
import { placeholders } from '../../../infra/stacks/bundle/placeholders.ts';
import { stageStacks } from '../../../infra/stacks/stageStacks.ts';
import { type StageSettings, settingsOf } from '../../../infra/stacks/stages/stages.ts';
import { env } from '../../../lib/env.ts';
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
const functionNamed = ({ Resources }: Template, part: string) =>
  Object.entries(Resources).find(
    ([id, { Type }]) => Type === 'AWS::Lambda::Function' && id.includes(`${part}Function`),
  )?.[1].Properties;

test.each(['clients', 'all'] as const)(
  '"%s": fanOutChanges, which knows which changes, and ingestRecords alone may send to it',
  (outbox) => {
    const [, api] = stacksOf({ outbox }) as [Template, Template];
    const named = (name: string) => functionNamed(api, name)?.Environment.Variables;
    expect(named('fanOutChanges')).toMatchObject({
      [env.outboxChanges]: outbox,
      [env.recordsOutbox]: expect.anything(),
    });
    const users = ofType(api, 'AWS::Lambda::Function').filter(([, { Properties }]) =>
      JSON.stringify(Properties).includes(env.recordsOutbox),
    );
    expect(users).toHaveLength(2);
    const allowed = ofType(api, 'AWS::IAM::Role').filter(([, one]) =>
      JSON.stringify(one).includes('RecordsOutbox'),
    );
    expect(allowed.map(([id]) => id).sort()).toEqual([
      expect.stringContaining('ingestRecords'),
      expect.stringContaining('fanOutChanges'),
    ]);
    for (const [, role] of allowed) {
      const statements = role.Properties.Policies[0].PolicyDocument.Statement as {
        Action: unknown;
        Resource: unknown;
      }[];
      expect(
        statements
          .filter(({ Resource }) => JSON.stringify(Resource).includes('RecordsOutbox'))
          .map(({ Action }) => Action),
      ).toEqual(['sqs:SendMessage']);
    }
    expect(api.Outputs).toMatchObject({
      RecordsInboxUrl: {},
      RecordsInboxArn: {},
      RecordsOutboxUrl: {},
      RecordsOutboxArn: {},
    });
  },
);

test('the role of the product may send to the inbox, receive from the outbox, delete records and make links, and nothing else', () => {
  const found = some.flatMap((template) =>
    Object.entries(template.Resources).flatMap(([id, { Type, Properties }]) => {
      if (!JSON.stringify(Properties ?? {}).includes(role)) return [];
      if (Type === 'AWS::Lambda::Permission')
        return [
          [
            Type,
            Properties.Action,
            id.replace(/.*?(createConsoleLink|endConsoleSessions|deleteRecord).*/, '$1'),
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
      ['AWS::SQS::QueuePolicy', 'sqs:SendMessage', 'RecordsInboxQueue'],
      [
        'AWS::SQS::QueuePolicy',
        ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility', 'sqs:GetQueueAttributes'],
        'RecordsOutboxQueue',
      ],
    ].sort(),
  );
});
