import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Lambda } from '../../../../infra/local/lambda/lambda.ts';
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

function given(
  code: string,
  {
    timeoutMs = 5000,
    memoryMb = 64,
    variables = {} as Record<string, string>,
    deployed = Promise.resolve(),
  } = {},
): Lambda {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}');
  writeFileSync(join(folder, 'index.js'), code);
  const settings = {
    folder,
    handler: 'index.handler',
    functionName: 'fn',
    functionArn: 'arn:fn',
    memoryMb,
    timeoutMs,
    environmentsMax: 8,
    waitMs: 0,
    codeCache: join(folder, 'code-cache'),
    variables,
  };
  lambda = new Lambda(settings, () => {}, deployed);
  return lambda;
}

test('what it has to do waits until it is deployed, or fails when the stack ends before', async () => {
  const deployed = Promise.withResolvers<void>();
  given('exports.handler = async () => 1', { deployed: deployed.promise });
  const calls = [lambda.invoke({}), lambda.invoke({})];
  expect(await Promise.race([...calls, new Promise((resolve) => setImmediate(resolve, 'none'))])).toBe(
    'none',
  );
  deployed.resolve();
  expect(await Promise.all(calls)).toEqual(['1', '1']);

  given('exports.handler = async () => 1', { deployed: new Promise<void>(() => {}) });
  const call = lambda.invoke({});
  await lambda.stop();
  await expect(call).rejects.toThrow('fn was stopped');
});

test('the environment is separate, and inherits nothing from the stack', async () => {
  given('exports.handler = async () => process.env', { variables: { TABLE: 'x' } });
  expect(JSON.parse(await lambda.invoke({}))).toEqual({ TABLE: 'x' });
});

describe('an environment', () => {
  /** Says how many events its environment has begun, before and after it waited for `ms`. */
  const counting =
    'let n = 0; exports.handler = async ({ ms = 0 }) => { const was = ++n; await new Promise((r) => setTimeout(r, ms)); return [was, n] }';
  const counts = async (ms?: number) => JSON.parse(await lambda.invoke({ ms }));

  test('processes one event at a time and is used again', async () => {
    given(counting);
    expect(await counts()).toEqual([1, 1]);
    expect(await Promise.all([counts(), counts(), counts()])).toEqual([
      [2, 2],
      [3, 3],
      [4, 4],
    ]);
  });
});

describe('an invocation that ends without an answer', () => {
  test('because it takes too long: its environment is ended, and the next one is new', async () => {
    given(
      'let n = 0; exports.handler = async ({ slow }) => { n += 1; if (slow) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); return n }',
      {
        timeoutMs: 2000,
      },
    );
    expect(await lambda.invoke({})).toBe('1');
    await expect(lambda.invoke({ slow: true })).rejects.toThrow('fn timed out');
    expect(await lambda.invoke({})).toBe('1');
  });

  test('because it is stopped, while it waits or while it runs', async () => {
    given('exports.handler = async ({ quick }) => quick || new Promise(() => {})');
    const running = Array.from({ length: 8 }, () => lambda.invoke({}));
    const waiting = lambda.invoke({ quick: true });
    const ended = Promise.allSettled([...running, waiting]);
    await lambda.stop();
    expect((await ended).map(({ status }) => status)).toEqual(Array(9).fill('rejected'));
    await expect(waiting).rejects.toThrow('fn was stopped');
  });
});
