import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type AsyncInvocations, asyncInvocations } from '../../../../infra/local/lambda/asyncInvocations.ts';
import { LambdaError } from '../../../../infra/local/lambda/lambda.ts';
import type { Resource } from '../../../../infra/local/template/template.ts';

let begun: number;
/** Seconds after the beginning at which the function was invoked. */
let invokedAt: number[];
let failures: number;
let invocations: AsyncInvocations;
beforeEach(() => {
  vi.useFakeTimers();
  begun = Date.now();
  invokedAt = [];
  failures = Number.POSITIVE_INFINITY;
});
afterEach(() => {
  vi.useRealTimers();
});

const lambda = {
  invoke: async (event: unknown) => {
    expect(event).toEqual({ an: 'event' });
    invokedAt.push((Date.now() - begun) / 1000);
    if (invokedAt.length <= failures) throw new LambdaError('failed');
    return 'null';
  },
};

/** @param properties of its settings; undefined for a function without any */
function begin(properties?: Resource['properties']): void {
  const config: Resource = {
    id: 'Config',
    type: 'AWS::Lambda::EventInvokeConfig',
    properties: { FunctionName: 'Function', Qualifier: '$LATEST', ...properties },
  };
  invocations = asyncInvocations(properties ? [config] : [], new Map([['Function', lambda]]));
  invocations.begin('Function', { an: 'event' });
}

const passHours = (hours: number) => vi.advanceTimersByTimeAsync(hours * 3_600_000);

test.each([
  ['without settings', undefined, [0, 60, 180]],
  ['with no retries', { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 }, [0]],
  ['with one retry', { MaximumRetryAttempts: 1 }, [0, 60]],
  ['while its event is not too old', { MaximumEventAgeInSeconds: 150 }, [0, 60]],
  ['but for an event that is too old at once', { MaximumEventAgeInSeconds: 60 }, [0]],
])('a function that fails is invoked again %s', async (_, properties, seconds) => {
  begin(properties);
  await passHours(24);
  expect(invokedAt).toEqual(seconds);
});

test('nothing is invoked again after the stop', async () => {
  begin();
  await passHours(0);
  const stopped = invocations.stop();
  await passHours(24);
  await stopped;
  expect(invokedAt).toEqual([0]);
});
