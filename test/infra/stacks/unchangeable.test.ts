import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { examplesPath, fileOfLastRelease } from '../../../infra/ops/documents/lastRelease.ts';
import {
  type DataStackShape,
  dataTemplate,
  replacements,
  shapeOf,
  type Template,
} from '../../../infra/ops/documents/unchangeable.ts';
import { settingsOf, stagesFolder } from '../../../infra/stacks/stages/stages.ts';

const left = fileOfLastRelease(examplesPath);
const keeping = globSync('*.json', { cwd: stagesFolder })
  .map((file) => basename(file, '.json'))
  .filter((stage) => settingsOf(stage).keepData);

test.runIf(left).each(keeping)(
  'a deployment over the last release replaces nothing that holds data, and fails at nothing: %s',
  (stage) => {
    const { data } = JSON.parse(left as string) as { data: DataStackShape };
    expect(replacements(data, shapeOf(dataTemplate(stage)))).toEqual([]);
  },
);

test('prod keeps its data, and every table, queue, bucket and key of it is held', () => {
  expect(keeping).toContain('prod');
  const holding = Object.entries(dataTemplate('prod').Resources).filter(
    ([, { Type }]) => !Type.endsWith('Policy'),
  );
  expect(Object.keys(shapeOf(dataTemplate('prod'))).sort()).toEqual(holding.map(([id]) => id).sort());
});

describe('what would be replaced or refused is named, with the reason', () => {
  const template = dataTemplate('prod');
  const before = shapeOf(template);
  const idOf = (start: string) =>
    Object.keys(template.Resources).find((id) => id.startsWith(start)) as string;
  const propertiesOf = (changed: Template, start: string) => {
    const resource = changed.Resources[idOf(start)] as Template['Resources'][string];
    resource.Properties ??= {};
    return resource.Properties as Record<string, never> & {
      GlobalSecondaryIndexes: Record<string, unknown>[];
      AttributeDefinitions: object[];
    };
  };
  const rename = ({ Resources }: Template, start: string) => {
    Resources.Another = Resources[idOf(start)] as never;
    delete Resources[idOf(start)];
  };
  const set = (start: string, name: string, value: unknown) => (changed: Template) =>
    Object.assign(propertiesOf(changed, start), { [name]: value });

  test.each<[string, (changed: Template) => unknown, RegExp]>([
    [
      'a table with another logical id',
      (changed) => rename(changed, 'TablesRecords'),
      /^TablesRecords\w+ \(AWS::DynamoDB::GlobalTable\) is removed, or has another logical id/,
    ],
    [
      'a queue with another logical id',
      (changed) => rename(changed, 'DeliveriesQuick'),
      /^DeliveriesQuick\w+ \(AWS::SQS::Queue\) is removed/,
    ],
    [
      'another construct in its place',
      (changed) =>
        Object.assign(changed.Resources[idOf('TablesKeys')] as object, { Type: 'AWS::DynamoDB::Table' }),
      /^TablesKeys\w+ \(AWS::DynamoDB::GlobalTable\) is removed/,
    ],
    [
      'two indexes at once',
      (changed) =>
        propertiesOf(changed, 'TablesKeys').GlobalSecondaryIndexes.push(
          { IndexName: 'one', KeySchema: [], Projection: {} },
          { IndexName: 'two', KeySchema: [], Projection: {} },
        ),
      /^TablesKeys\w+: index one, index two are created or deleted at once\. Only one index of a table can change in a release\.$/,
    ],
    [
      'a table with a name',
      set('TablesKeys', 'TableName', 'keys'),
      /TableName was not set and is "keys"\. CloudFormation would replace/,
    ],
    [
      'a table with another key',
      set('TablesKeys', 'KeySchema', [{ AttributeName: 'id', KeyType: 'HASH' }]),
      /KeySchema was .*"pk".* and is .*"id"/,
    ],
    [
      'a key of another type',
      set('TablesKeys', 'AttributeDefinitions', [{ AttributeName: 'pk', AttributeType: 'N' }]),
      /attribute pk was "S" and is "N"\. The type of a key attribute cannot be changed/,
    ],
    [
      'a local index',
      set('TablesRecords', 'LocalSecondaryIndexes', [{}]),
      /LocalSecondaryIndexes was not set and is \[\{\}\]/,
    ],
    [
      'no stream',
      set('TablesRecords', 'StreamSpecification', undefined),
      /StreamSpecification was .* and is not set\. Changes that have not been fanned out yet are lost/,
    ],
    [
      'an index that holds something else',
      (changed) =>
        Object.assign(propertiesOf(changed, 'TablesWebhooks9').GlobalSecondaryIndexes[0] as object, {
          Projection: { ProjectionType: 'ALL' },
        }),
      /index due was .*"INCLUDE".* and is .*"ALL".*No index can be changed in place/,
    ],
    [
      'an index with another key',
      (changed) =>
        Object.assign(propertiesOf(changed, 'TablesKeys').GlobalSecondaryIndexes[0] as object, {
          KeySchema: [],
        }),
      /index by-account was/,
    ],
    [
      'no index any more',
      set('TablesKeys', 'GlobalSecondaryIndexes', []),
      /index by-account was .* and is not set/,
    ],
    [
      'a queue with a name',
      set('RecordsInboxQueue', 'QueueName', 'inbox'),
      /QueueName was not set and is "inbox"/,
    ],
    ['a FIFO queue', set('RecordsInboxQueue', 'FifoQueue', true), /FifoQueue was not set and is true/],
    [
      'a bucket with a name',
      set('DeliveriesFailedChanges', 'BucketName', 'mine'),
      /BucketName was not set and is "mine"/,
    ],
    [
      'a key of another kind',
      set('TablesWebhooksKey', 'KeySpec', 'RSA_2048'),
      /KeySpec was not set and is "RSA_2048"\. CloudFormation refuses to change it/,
    ],
  ])('%s', (_, change, sentence) => {
    const changed = structuredClone(template);
    change(changed);
    expect(replacements(before, shapeOf(changed))).toEqual([expect.stringMatching(sentence)]);
  });

  test('and nothing is reported for new parts: a table, an index with its attribute, a stream, and properties that may change', () => {
    const changed = structuredClone(template);
    changed.Resources.More = structuredClone(changed.Resources[idOf('TablesKeys')]) as never;
    const keys = propertiesOf(changed, 'TablesKeys');
    keys.AttributeDefinitions.push({ AttributeName: 'name', AttributeType: 'S' });
    keys.GlobalSecondaryIndexes.push({ IndexName: 'by-name', KeySchema: [], Projection: {} });
    Object.assign(keys, { StreamSpecification: { StreamViewType: 'KEYS_ONLY' } });
    Object.assign(propertiesOf(changed, 'DeliveriesQuick'), { VisibilityTimeout: 1 });
    expect(replacements(before, shapeOf(changed))).toEqual([]);
  });
});
