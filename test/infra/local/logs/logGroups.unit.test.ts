import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openLogGroups } from '../../../../infra/local/logs/logGroups.ts';
import type { JsonObject } from '../../../../infra/local/template/intrinsics.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const filter = (properties: JsonObject = {}) => ({
  id: 'Filter',
  type: 'AWS::Logs::SubscriptionFilter' as const,
  properties: {
    DestinationArn: 'arn:aws:local:local-1:000000000000:Count',
    FilterPattern: '{ $.key_id != "-" }',
    LogGroupName: 'Group',
    ...properties,
  },
});

/** Log groups with these filters, and the invocations that they cause. */
function opened(...filters: ReturnType<typeof filter>[]) {
  const invoked: [name: string, content: Record<string, unknown> & { logEvents: { id: string }[] }][] = [];
  const groups = openLogGroups(filters, new Set(['Count']), {
    begin: (name, event) => {
      const { data } = (event as { awslogs: { data: string } }).awslogs;
      invoked.push([name, JSON.parse(gunzipSync(Buffer.from(data, 'base64')).toString())]);
    },
  });
  return { groups, invoked };
}

const line = (key_id: string) => JSON.stringify({ key_id });

describe('a subscription', () => {
  test('gets the matching lines of each stream within a second, as CloudWatch Logs hands them over', () => {
    const { groups, invoked } = opened(filter());
    for (const key of ['a', '-', 'b']) groups.write('Group', 'one', line(key));
    groups.write('Group', 'two', line('c'));
    groups.write('Another', 'one', line('d'));
    expect(invoked).toEqual([]);
    vi.advanceTimersByTime(1000);
    expect(invoked.map(([name]) => name)).toEqual(['Count', 'Count']);
    const [[, first], [, second]] = invoked as [(typeof invoked)[0], (typeof invoked)[0]];
    const event = (key: string) => ({
      id: expect.stringMatching(/^\d{56}$/),
      timestamp: expect.any(Number),
      message: line(key),
    });
    const common = {
      messageType: 'DATA_MESSAGE',
      owner: '000000000000',
      logGroup: 'Group',
      subscriptionFilters: ['Filter'],
    };
    expect(first).toEqual({ ...common, logStream: 'one', logEvents: [event('a'), event('b')] });
    expect(second).toEqual({ ...common, logStream: 'two', logEvents: [event('c')] });
    const ids = invoked.flatMap(([, { logEvents }]) => logEvents.map(({ id }) => id));
    expect(new Set(ids).size).toBe(3);
    vi.advanceTimersByTime(10_000);
    expect(invoked).toHaveLength(2);
  });
});

test.each<[string, JsonObject, string]>([
  ['a pattern that is not known', { FilterPattern: '[ip, user]' }, 'the local stack knows only { … }'],
  ['a property that is not known', { Distribution: 'Random' }, 'Distribution'],
  ['another destination', { DestinationArn: 'arn:aws:kinesis:a:b:c' }, 'supports only Lambdas'],
])('%s is refused', (_, change, message) => {
  expect(() => opened(filter(change))).toThrow(message);
});
