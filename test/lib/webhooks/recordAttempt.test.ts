import { describe, expect, test } from 'vitest';
import type { Delivery } from '../../../lib/webhooks/deliveries/delivery.ts';
import { afterAttempt, type CompletedAttempt } from '../../../lib/webhooks/deliveries/recordAttempt.ts';
import { dueShards } from '../../../lib/webhooks/keys.ts';
import type { Attempt } from '../../../lib/webhooks/sending/attempt.ts';

const now = Date.parse('2026-03-01T09:30:00Z');

const delivery = (attempt_count = 0, schedule_start = 0): Delivery => ({
  pk: 'acme#whs_1#0',
  sk: '000000000000',
  id: 'dlv_1',
  event_id: 'evt_1',
  event_type: 'contact.created',
  subscription_id: 'whs_1',
  status: 'pending',
  attempt_count,
  attempts: [],
  schedule_start,
  created_at: '2026-03-01T09:30:00.000Z',
  next_attempt_at: '2026-03-01T09:30:00.000Z',
  due_partition: 'due#0',
  enqueue_at: '2026-03-01T09:30:30.000Z',
  claim: 'clm_1',
  claimed_until: '2026-03-01T09:30:25.000Z',
});

const attempt = (http_status: number | null): Attempt => ({
  started_at: '2026-03-01T09:30:00.000Z',
  duration_ms: 10,
  http_status,
  outcome: http_status === 204 ? 'success' : 'http_error',
  response_excerpt: null,
});

const completed = (status: number | null, retryAfter?: string): CompletedAttempt => ({
  attempt: attempt(status),
  payload: 'full',
  retryAfter,
});

const waitAfter = (status: number | null, retryAfter?: string): number => {
  const { next_attempt_at = '' } = afterAttempt(delivery(), completed(status, retryAfter), now).delivery;
  return Date.parse(next_attempt_at) - now;
};

describe('Retry-After', () => {
  test.each([429, 503])('is heard with %s', (status) => {
    expect(waitAfter(status, '600')).toBe(600_000);
  });

  test.each([301, 400, 404, 408, 500, 502, 504, null])('is not heard with %s', (status) => {
    expect(waitAfter(status, '600')).toBeLessThanOrEqual(5500);
  });
});

describe('after an attempt', () => {
  test.each([
    ['that succeeded', 204, 0, 0],
    ['that was the last', 500, 12, 0],
    ['that was the last of a later round', 500, 25, 13],
  ])('%s a delivery waits for nothing', (_, status, count, round) => {
    const { delivery: after, delaySeconds } = afterAttempt(
      delivery(count, round),
      completed(status, '60'),
      now,
    );
    expect(after.status).toBe(status === 204 ? 'succeeded' : 'failed');
    expect([after.due_partition, after.enqueue_at, after.next_attempt_at]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(delaySeconds).toBeUndefined();
  });

  test.each([1, 2, 3])(
    'number %s, which is followed soon, the queue delays a message, and the sweep replaces a lost one',
    (n) => {
      const { delivery: after, delaySeconds = 0 } = afterAttempt(delivery(n - 1), completed(500), now);
      const next = Date.parse(after.next_attempt_at as string);
      expect(delaySeconds * 1000).toBeGreaterThanOrEqual(next - now);
      expect(delaySeconds * 1000).toBeLessThanOrEqual(next - now + 1000);
      expect(Date.parse(after.enqueue_at as string)).toBe(next + 30_000);
      expect(dueShards).toContain(after.due_partition);
    },
  );

  test.each([5, 8, 12])('number %s, which is followed late, only the sweep sends a message, in time', (n) => {
    const { delivery: after, delaySeconds } = afterAttempt(delivery(n - 1), completed(500), now);
    expect(delaySeconds).toBeUndefined();
    expect(after.enqueue_at).toBe(after.next_attempt_at);
    expect(dueShards).toContain(after.due_partition);
  });

  test('the newest 13 are remembered', () => {
    let after = delivery();
    for (let n = 0; n < 20; n++)
      after = { ...afterAttempt({ ...after, schedule_start: n }, completed(500), now).delivery };
    expect(after.attempts.map(({ number }) => number)).toEqual(Array.from({ length: 13 }, (_, i) => i + 8));
  });
});
