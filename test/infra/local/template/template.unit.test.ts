import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { idInArn, readTemplate } from '../../../../infra/local/template/template.ts';
import { removeFolder, temporaryFolder } from '../../../support/stack/stackProcess.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

function given(Resources: object, Outputs: object = {}, stack = 'a'): void {
  writeFileSync(join(folder, `${stack}.template.json`), JSON.stringify({ Resources, Outputs }));
}

const aFunction = (Properties: object) => ({ F: { Type: 'AWS::Lambda::Function', Properties } });
const addresses = { queueUrl: (id: string) => `http://queues/${id}` };
const propertiesOf = () => readTemplate(folder, addresses).resources('AWS::Lambda::Function')[0]?.properties;

describe('references', () => {
  test('resolve as on AWS, also into another stack', () => {
    given(
      { T: { Type: 'AWS::DynamoDB::GlobalTable', Properties: {} } },
      { O: { Value: { Ref: 'T' }, Export: { Name: 'a:Table' } } },
    );
    given(
      aFunction({
        table: { 'Fn::ImportValue': 'a:Table' },
        arn: { 'Fn::GetAtt': ['F', 'Arn'] },
        joined: { 'Fn::Join': ['/', ['x', { Ref: 'AWS::Region' }]] },
        part: { 'Fn::Select': [1, { 'Fn::Split': [':', 'a:b:c'] }] },
        text: { 'Fn::Sub': 'in ${AWS::Region} as ${F}' },
        list: [{ Ref: 'F' }, 1, true, null],
      }),
      {},
      'b',
    );
    expect(propertiesOf()).toEqual({
      table: 'T',
      arn: 'arn:aws:local:local-1:000000000000:F',
      joined: 'x/local-1',
      part: 'b',
      text: 'in local-1 as F',
      list: ['F', 1, true, null],
    });
  });
});

describe('a secret', () => {
  const aSecret = { S: { Type: 'AWS::SecretsManager::Secret', Properties: {} } };
  const referring = (to: object | string) =>
    aFunction({ key: { 'Fn::Join': ['', ['{{resolve:secretsmanager:', to, ':SecretString:::}}']] } });

  test('has its own value, the same at every start, where the template refers to it', () => {
    given({ ...aSecret, ...referring({ Ref: 'S' }) });
    const { key } = propertiesOf() as { key: string };
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(propertiesOf()).toEqual({ key });
    given({ T: aSecret.S, ...referring({ Ref: 'T' }) });
    expect((propertiesOf() as { key: string }).key).not.toBe(key);
  });

  test.each([
    ['that is none', referring({ Ref: 'F' })],
    [
      'of which only a field is wanted',
      aFunction({ key: '{{resolve:secretsmanager:S:SecretString:field::}}' }),
    ],
    ['of another service', aFunction({ key: '{{resolve:ssm:S}}' })],
  ])('%s is not known', (_, resources) => {
    given({ ...aSecret, ...resources });
    expect(() => propertiesOf()).toThrow(
      /^The template refers to \{\{resolve:.*\}\}, which the local stack does not know$/,
    );
  });
});

describe('an alias', () => {
  const anAlias = (more: object) => ({
    V: { Type: 'AWS::Lambda::Version', Properties: { FunctionName: { Ref: 'F' } } },
    A: {
      Type: 'AWS::Lambda::Alias',
      Properties: {
        Name: 'live',
        FunctionName: { Ref: 'F' },
        FunctionVersion: { 'Fn::GetAtt': ['V', 'Version'] },
        ...more,
      },
    },
    ...aFunction({ called: { 'Fn::Join': ['', ['functions/', { Ref: 'A' }, '/invocations']] } }),
  });

  test('leads to its function', () => {
    given(anAlias({}));
    const { called } = propertiesOf() as Record<string, string>;
    expect(called).toBe('functions/arn:aws:local:local-1:000000000000:F:live/invocations');
    expect(idInArn(called ?? '')).toBe('F');
  });
});
