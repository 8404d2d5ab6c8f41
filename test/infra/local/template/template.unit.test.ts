import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readTemplate } from '../../../../infra/local/template/template.ts';
import { removeFolder, temporaryFolder } from '../../../support/stack/stackProcess.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

const given = (Resources: object): void =>
  writeFileSync(join(folder, 'a.template.json'), JSON.stringify({ Resources, Outputs: {} }));

const aFunction = (Properties: object) => ({ F: { Type: 'AWS::Lambda::Function', Properties } });
const addresses = { queueUrl: (id: string) => `http://queues/${id}` };
const propertiesOf = () => readTemplate(folder, addresses).resources('AWS::Lambda::Function')[0]?.properties;

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
