import { describe, expect, test, vi } from 'vitest';
import { phaseAfter } from '../../../lib/webhooks/deliveries/attempt.ts';
import type { ClaimedPhase } from '../../../lib/webhooks/deliveries/transitions.ts';
import type { Attempt } from '../../../lib/webhooks/model/delivery.ts';
import { dueShards } from '../../../lib/webhooks/model/keys.ts';
import { dueAt, recoveryDueAt } from '../../../lib/webhooks/queue/due.ts';
import { nextProbeAt } from '../../../lib/webhooks/receivers/retrySchedule.ts';

const now = Date.parse('2026-03-01T09:30:00Z');
const at = (ms: number): string => new Date(now + ms).toISOString();

const claimed = (tries = 0, more: Partial<ClaimedPhase> = {}): ClaimedPhase => ({
  at: 'claimed',
  claim: 'clm_1',
  until: at(25_000),
  tries,
  ...more,
});

const attempt = (http_status: number | null): Attempt => ({
  started_at: at(0),
  duration_ms: 10,
  http_status,
  outcome: http_status === 204 ? 'success' : 'http_error',
  reason: null,
  response_excerpt: null,
});

const phaseOf = (
  phase: ClaimedPhase,
  status: number | null,
  { retryAfter = undefined as string | undefined, isOld = false } = {},
) => phaseAfter(phase, { attempt: attempt(status), retryAfter }, isOld, now);

const waitAfter = (status: number | null, retryAfter?: string): number => {
  const phase = phaseOf(claimed(), status, { retryAfter });
  return phase.at === 'waiting' ? Date.parse(phase.due) - now : Number.NaN;
};

describe('after an attempt', () => {
  test.each([
    ['that succeeded', claimed(), 204, { at: 'ended', how: 'succeeded' }],
    ['that succeeded, of a probe', claimed(3, { probe: true }), 204, { at: 'ended', how: 'succeeded' }],
    ['that failed, of a probe', claimed(3, { probe: true }), 500, { at: 'rest', tries: 3 }],
    ['that was the last, refused', claimed(12), 404, { at: 'ended', how: 'failed', why: 'refused' }],
    [
      'during which it was asked for again',
      claimed(12, { again: true }),
      404,
      { at: 'waiting', due: at(0), tries: 0 },
    ],
    [
      'that succeeded, and it was asked for again',
      claimed(0, { again: true }),
      204,
      { at: 'waiting', due: at(0), tries: 0 },
    ],
  ] as const)('%s a delivery is in the right phase', (_, phase, status, expected) => {
    expect(phaseOf(phase, status)).toEqual(expected);
  });

  test.each([429, 500, null])(
    'after its schedule with %s, which may be about the receiver, a delivery is tried every day',
    (status) => {
      expect(phaseOf(claimed(12), status)).toMatchObject({ at: 'waiting', tries: 13 });
      const expired = { at: 'ended', how: 'failed', why: 'expired' };
      expect(phaseOf(claimed(20), status, { isOld: true })).toEqual(expired);
    },
  );

  test.each([429, 503])('Retry-After is used with %s', (status) => {
    expect(waitAfter(status, '600')).toBe(600_000);
  });

  test.each([301, 400, 404, 408, 500, 502, 504, null])('Retry-After is ignored with %s', (status) => {
    expect(waitAfter(status, '600')).toBeLessThanOrEqual(5500);
  });
});

test.each([
  [0, 0, '2026-03-01T09:30:30.000Z'],
  [899_001, 900, '2026-03-01T09:45:29.001Z'],
  [900_001, undefined, '2026-03-01T09:45:00.001Z'],
])(
  'of what is due in %i ms the message is delayed by %s seconds, and the sweep looks at %s',
  (ms, delaySeconds, enqueue_at) => {
    expect(dueAt(at(ms), now)).toEqual({
      keys: {
        next_attempt_at: at(ms),
        due_partition: expect.toSatisfy((partition) => dueShards.includes(partition)),
        enqueue_at,
      },
      delaySeconds,
    });
  },
);

test('a receiver that is down is tried after 5 s, 30 s, 1 m, 5 m, 15 m, 30 m, 1 h, 2 h, 4 h, and then every five hours, each up to a tenth later', () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  const seconds = Array.from(
    { length: 12 },
    (_, probes) => (Date.parse(nextProbeAt(probes, now)) - now) / 1000,
  );
  expect(seconds).toEqual([5, 30, 60, 300, 900, 1800, 3600, 7200, 14_400, 18_000, 18_000, 18_000]);
  random.mockReturnValue(1);
  expect(Date.parse(nextProbeAt(9, now)) - now).toBe(19_800_000);
});

test.each([
  ['sent events', { status: 'active' }, false, 30_000],
  ['tried in a minute', { status: 'suspended', next_probe_at: at(60_000) }, false, 60_000],
  ['tried since an hour', { status: 'active', down_since: at(-9e6), next_probe_at: at(-36e5) }, false, 0],
  ['paused', { status: 'paused' }, false, 86_400_000],
  ['of a suspended account', { status: 'active' }, true, 86_400_000],
])(
  'the recovery of a subscription that is %s looks in time at what comes to rest',
  (_, subscription, suspended, ms) => {
    expect(recoveryDueAt(subscription as never, suspended, now) - now).toBe(ms);
  },
);
