import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Lambda } from '../../../../infra/local/lambda/lambda.ts';
import { startLambdas } from '../../../../infra/local/lambda/lambdas.ts';
import type { Resource, Template } from '../../../../infra/local/template/template.ts';
import { removeFolder, temporaryFolder } from '../../../support/stack/stackProcess.ts';

let folder: string;
let lambda: Lambda;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await lambda.stop();
  removeFolder(folder);
});

const endpoints = {
  database: 'http://database',
  queues: 'http://queues',
  control: { endpoint: 'http://control', token: 'a token' },
  api: 'http://api/v1',
  console: 'http://api/console/',
};

/** A function with its own code, event source mappings and more properties. */
function given(
  code: string,
  mappings: readonly object[] = [],
  more: Resource['properties'] = {},
  burst?: number,
): Lambda {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}');
  writeFileSync(join(folder, 'index.js'), code);
  const resources: Pick<Resource, 'type' | 'properties'>[] = [
    {
      type: 'AWS::Lambda::Function',
      properties: { Code: { S3Key: 'x' }, Handler: 'index.handler', MemorySize: 64, Timeout: 20, ...more },
    },
    ...mappings.map((properties) => ({
      type: 'AWS::Lambda::EventSourceMapping' as const,
      properties: { FunctionName: 'F', EventSourceArn: 'a queue', ...properties },
    })),
  ];
  const template: Template = {
    resources: (type) => resources.filter((one) => one.type === type).map((one) => ({ id: 'F', ...one })),
    output: () => '',
    codeFolder: () => folder,
    codeCache: '',
  };
  lambda = startLambdas(template, [{ functionId: 'F', burst }], endpoints, () => {}).get('F') as Lambda;
  return lambda;
}

test('a function gets the addresses of the database and the queues, and may send to receivers on this machine', async () => {
  const found = JSON.parse(await given('exports.handler = async () => process.env').invoke({}));
  expect(found).toMatchObject({
    AWS_ENDPOINT_URL_DYNAMODB: 'http://database',
    AWS_ENDPOINT_URL_SQS: 'http://queues',
    ALLOW_LOOPBACK_RECEIVERS: '1',
  });
});

test('a function of the console gets the addresses of this machine, and makes keys for it; another gets none of that', async () => {
  const names = ['API_URL', 'CONSOLE_URL', 'KEY_ENVIRONMENT'];
  const read = `exports.handler = async () => ${JSON.stringify(names)}.map((name) => process.env[name])`;
  const variables = Object.fromEntries(names.map((name) => [name, 'as deployed']));
  const ofConsole = given(read, [], { Environment: { Variables: variables } });
  expect(JSON.parse(await ofConsole.invoke({}))).toEqual(['http://api/v1', 'http://api/console/', 'test']);
  await ofConsole.stop();
  expect(JSON.parse(await given(read).invoke({}))).toEqual([null, null, null]);
});

describe('invocations at once', () => {
  /** Code in which each invocation waits until this many have begun. */
  const waitingFor = (count: number): string => {
    const flags = join(folder, 'begun');
    return `const { mkdirSync, readdirSync, writeFileSync } = require('node:fs');
      exports.handler = async ({ i }) => {
        mkdirSync('${flags}', { recursive: true });
        writeFileSync('${flags}/' + i, '');
        while (readdirSync('${flags}').length < ${count}) await new Promise((r) => setTimeout(r, 10));
        return i;
      }`;
  };

  async function allEnd(count: number): Promise<void> {
    const numbers = Array.from({ length: count }, (_, i) => i);
    const all = numbers.map((i) => lambda.invoke({ i }));
    expect((await Promise.all(all)).map(Number)).toEqual(numbers);
  }

  test('are as many as its queues have batches, and requests beside them', async () => {
    given(waitingFor(12), [
      { ScalingConfig: { MaximumConcurrency: 2 } },
      { ScalingConfig: { MaximumConcurrency: 2 } },
      { FunctionName: 'Another' },
    ]);
    await allEnd(12);
  });
});
