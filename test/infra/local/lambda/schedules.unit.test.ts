import type { ScheduledEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startSchedules } from '../../../../infra/local/lambda/schedules.ts';
import type { Resource } from '../../../../infra/local/template/template.ts';

let events: ScheduledEvent[];
beforeEach(() => {
  vi.useFakeTimers();
  events = [];
});
afterEach(() => {
  vi.useRealTimers();
});

const invocations = {
  begin: (functionName: string, event: unknown) => {
    expect(functionName).toBe('Function');
    events.push(event as ScheduledEvent);
  },
};

const given = (properties: Resource['properties'] = {}): Resource => ({
  id: 'Sweep',
  type: 'AWS::Events::Rule',
  properties: {
    ScheduleExpression: 'rate(1 minute)',
    State: 'ENABLED',
    Targets: [{ Arn: 'arn:aws:local:local-1:000000000000:Function', Id: 'Target0' }],
    ...properties,
  },
});

const begin = (rule: Resource) => startSchedules([rule], new Set(['Function']), invocations);

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);

test('a function is invoked asynchronously soon after the start, and then every period', async () => {
  const stop = begin(given());
  expect(events).toHaveLength(0);
  await pass(5);
  expect(events).toEqual([
    {
      version: '0',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      'detail-type': 'Scheduled Event',
      source: 'aws.events',
      account: '000000000000',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      region: 'local-1',
      resources: ['arn:aws:events:local-1:000000000000:rule/Sweep'],
      detail: {},
    },
  ]);
  await pass(180);
  expect(events).toHaveLength(4);
  stop();
  await pass(180);
  expect(events).toHaveLength(4);
});

test.each([
  [{ ScheduleExpression: 'cron(0 12 * * ? *)' }, 'Sweep has the schedule cron(0 12 * * ? *)'],
  [{ ScheduleExpression: 'rate(0 minutes)' }, 'Sweep has the schedule rate(0 minutes)'],
  [{ ScheduleExpression: 'rate(1 week)' }, 'Sweep has the schedule rate(1 week)'],
  [
    { EventPattern: { source: ['aws.s3'] } },
    'Sweep has properties that the local stack does not know: EventPattern',
  ],
  [
    { Targets: [{ Arn: 'arn:aws:local:local-1:000000000000:Queue', Id: 'a' }] },
    'Sweep has the target arn:aws:local:',
  ],
  [
    { Targets: [{ Arn: 'arn:aws:local:local-1:000000000000:Function', Id: 'a', Input: '{}' }] },
    'A target of Sweep has properties that the local stack does not know: Input',
  ],
])('%j ends the start', (properties, message) => {
  expect(() => begin(given(properties))).toThrow(message);
});
