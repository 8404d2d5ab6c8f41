import { expect, test } from 'vitest';
import { dueAt, enqueueAgainAt, firstDue } from '../../../lib/webhooks/jobs/dueTimes.ts';
import { dueShards, heldPartition } from '../../../lib/webhooks/model/keys.ts';

const now = new Date('2026-03-01T09:30:00Z');

test('a message counts as lost half a minute after it becomes visible', () => {
  expect(enqueueAgainAt(now)).toBe('2026-03-01T09:30:30.000Z');
});

test.each([
  [0, 0, '2026-03-01T09:30:30.000Z'],
  [1, 1, '2026-03-01T09:30:30.001Z'],
  [899_001, 900, '2026-03-01T09:45:29.001Z'],
  [900_000, 900, '2026-03-01T09:45:30.000Z'],
  [900_001, undefined, '2026-03-01T09:45:00.001Z'],
])(
  'of what is due in %i ms the message is delayed by %s seconds, and the sweep looks at %s',
  (ms, delaySeconds, enqueue_at) => {
    const at = new Date(now.getTime() + ms);
    const due = dueAt(at.getTime(), now.getTime());
    expect(due).toEqual({
      next_attempt_at: at.toISOString(),
      due_partition: expect.toSatisfy((partition) => dueShards.includes(partition)),
      enqueue_at,
      delaySeconds,
    });
  },
);

test('a new delivery is due now', () => {
  expect(firstDue('acme', { id: 'whs_1', status: 'active' }, now)).toEqual({
    next_attempt_at: '2026-03-01T09:30:00.000Z',
    due_partition: expect.toSatisfy((partition) => dueShards.includes(partition)),
    enqueue_at: '2026-03-01T09:30:30.000Z',
  });
});

test.each(['paused', 'disabled'] as const)(
  'a new delivery of a subscription that is %s is held',
  (status) => {
    expect(firstDue('acme', { id: 'whs_1', status }, now)).toEqual({
      next_attempt_at: undefined,
      due_partition: heldPartition('acme', 'whs_1'),
      enqueue_at: '2026-03-01T09:30:00.000Z',
    });
  },
);
