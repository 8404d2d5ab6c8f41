import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { env } from '../../../lib/env.ts';
import {
  afterAttempt,
  type CompletedAttempt,
  recordAttempt,
} from '../../../lib/webhooks/deliveries/recordAttempt.ts';
import type { Attempt } from '../../../lib/webhooks/model/attempt.ts';
import type { Delivery } from '../../../lib/webhooks/model/delivery.ts';
import { dueShards } from '../../../lib/webhooks/model/keys.ts';
import { holds, updated } from '../../simulation/expressions.ts';
import { connectionLost, failure, onWire, success } from '../../support/faults/wire.ts';

const now = Date.parse('2026-03-01T09:30:00Z');

const delivery = (attempt_count = 0, schedule_start = 0): Delivery => ({
  pk: 'acme#whs_1#0',
  sk: '000000000000',
  id: 'dlv_1',
  event_id: 'evt_1',
  event_type: 'contact.created',
  subscription_id: 'whs_1',
  resource: { type: 'contact', id: 'con_1' },
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
  test.each([429, 503])('is used with %s', (status) => {
    expect(waitAfter(status, '600')).toBe(600_000);
  });

  test.each([301, 400, 404, 408, 500, 502, 504, null])('is ignored with %s', (status) => {
    expect(waitAfter(status, '600')).toBeLessThanOrEqual(5500);
  });
});

describe('after an attempt', () => {
  const released_at = '2026-03-01T09:00:00.000Z';
  const later = '2026-03-01T09:20:00.000Z';
  const withoutTimes = { due_partition: undefined, enqueue_at: undefined, next_attempt_at: undefined };

  test('that succeeded, a delivery has no next attempt', () => {
    const { delivery: after, delaySeconds } = afterAttempt(delivery(), completed(204), now);
    expect(after).toMatchObject({ status: 'succeeded', ...withoutTimes });
    expect(delaySeconds).toBeUndefined();
  });

  test.each([
    ['that was the last', delivery(12), 1],
    ['that was the last of a later round', delivery(25, 13), 1],
    ['that was the fifth since it was released', { ...delivery(17, 13), parked: 1, released_at }, 2],
  ])('%s a delivery is parked', (_, before, parked) => {
    const { delivery: after, delaySeconds } = afterAttempt(before, completed(500, '60'), now);
    expect(after).toMatchObject({ status: 'pending', due_partition: 'held#acme#whs_1', parked, strikes: 0 });
    expect([after.next_attempt_at, delaySeconds]).toEqual([undefined, undefined]);
    expect(after.enqueue_at).toBe('2026-03-01T09:30:00.000Z');
  });

  test('number 4 since it was released, a delivery has one more', () => {
    const before = { ...delivery(16, 13), parked: 1, released_at };
    expect(afterAttempt(before, completed(500), now).delivery.next_attempt_at).toBeDefined();
  });

  test.each([
    ['when its receiver has accepted nothing since its release', released_at, 0, 'pending', 0],
    ['the first time although its receiver accepts others', later, 0, 'pending', 1],
    ['the third time although its receiver accepts others', later, 2, 'failed', 3],
    ['after two times, when its receiver accepts nothing', null, 2, 'pending', 2],
  ])('that was the last after a release, %s', (_, acceptedAt, strikes, status, counted) => {
    const before = { ...delivery(17, 13), parked: 1, released_at, strikes };
    const { delivery: after } = afterAttempt(before, { ...completed(500), acceptedAt }, now);
    expect([after.status, after.strikes]).toEqual([status, counted]);
    if (status === 'failed') expect(after).toMatchObject({ status_reason: 'refused', ...withoutTimes });
  });

  test('that was a probe, a delivery stays as it was', () => {
    const { next_attempt_at: _, ...held } = { ...delivery(12), due_partition: 'held#acme#whs_1' };
    const { delivery: after, keepsTimes } = afterAttempt(held, { ...completed(500), isProbe: true }, now);
    expect(after).toMatchObject({ status: 'pending', attempt_count: 13, due_partition: 'held#acme#whs_1' });
    expect(keepsTimes).toBe(true);
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

  test('that is the first since a release or a redelivery, the schedule starts again', () => {
    const { delaySeconds } = afterAttempt(delivery(14, 14), completed(500), now);
    expect(delaySeconds).toBeLessThanOrEqual(6);
  });

  test('the newest 13 are remembered', () => {
    let after = delivery();
    for (let n = 0; n < 20; n++)
      after = { ...afterAttempt({ ...after, schedule_start: n }, completed(500), now).delivery };
    expect(after.attempts.map(({ number }) => number)).toEqual(Array.from({ length: 13 }, (_, i) => i + 8));
  });
});

describe('the result of an attempt is written', () => {
  /** The delivery in the table, its changes, and calls whose answers get lost. */
  let item: Record<string, unknown>;
  let before: ((call: number) => void) | undefined;
  let lost: number[];
  let calls: number;
  let undo: () => void;
  beforeEach(() => {
    vi.stubEnv('AWS_REGION', 'eu-central-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'x');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'x');
    vi.stubEnv(env.webhooksTable, 'Webhooks');
    [item, before, lost, calls] = [{ ...delivery() }, undefined, [], 0];
    undo = onWire(async ({ name, input }) => {
      calls += 1;
      before?.(calls);
      expect([name, input.TableName]).toEqual(['UpdateItem', 'Webhooks']);
      expect(unmarshall(input.Key as never)).toEqual({ pk: delivery().pk, sk: delivery().sk });
      const expressions = {
        ExpressionAttributeNames: input.ExpressionAttributeNames as Record<string, string>,
        ExpressionAttributeValues: unmarshall(input.ExpressionAttributeValues as never),
      };
      if (!holds(String(input.ConditionExpression), item, expressions))
        return failure(
          'ConditionalCheckFailedException',
          input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && item.pk ? { Item: marshall(item) } : {},
        );
      item = updated(item, String(input.UpdateExpression), expressions);
      if (lost.includes(calls)) throw connectionLost();
      return success({});
    });
  });
  afterEach(() => {
    undo();
    vi.unstubAllEnvs();
  });

  test('with the next attempt, and without the claim', async () => {
    const recorded = await recordAttempt('clm_1', delivery(), completed(500));
    const { claim: _, claimed_until: __, ...kept } = recorded?.delivery ?? {};
    expect(item).toEqual(kept);
    expect(item).toMatchObject({ status: 'pending', attempt_count: 1, attempts: [{ number: 1 }] });
    expect(Date.parse(item.enqueue_at as string)).toBeGreaterThan(Date.now());
    expect(calls).toBe(1);
  });

  test('once when the answer to the first call was lost', async () => {
    lost = [1];
    const recorded = await recordAttempt('clm_1', delivery(), completed(204));
    expect(recorded?.delivery.status).toBe('succeeded');
    expect([item.attempt_count, calls]).toEqual([1, 2]);
  });

  test('not at all when another process has the claim, even with the same attempt count', async () => {
    item = { ...delivery(1), claim: 'clm_2' };
    expect(await recordAttempt('clm_1', delivery(), completed(204))).toBeUndefined();
    expect(item).toEqual({ ...delivery(1), claim: 'clm_2' });
  });

  test.each([1, 2])('not at all when the delivery is gone before call %s', async (gone) => {
    lost = [1];
    before = (call) => {
      if (call === gone) item = {};
    };
    expect(await recordAttempt('clm_1', delivery(), completed(204))).toBeUndefined();
  });

  test('not at all when its claim is another one by the time a lost call is repeated', async () => {
    lost = [1];
    before = (call) => {
      if (call === 2) item = { ...delivery(5), claim: 'clm_2' };
    };
    expect(await recordAttempt('clm_1', delivery(), completed(204))).toBeUndefined();
    expect(item).toEqual({ ...delivery(5), claim: 'clm_2' });
  });

  test.each([undefined, 'red_1'])(
    'and a redelivery that was requested meanwhile, after %s, follows at once',
    async (first) => {
      item.redelivery = first;
      const read = { ...delivery(), redelivery: first } as Delivery;
      before = (call) => {
        if (call === 1) Object.assign(item, { redelivery: 'red_2', attempt_count: 3, schedule_start: 3 });
      };
      const recorded = await recordAttempt('clm_1', read, completed(204));
      expect(recorded?.delaySeconds).toBe(0);
      expect(item).toMatchObject({
        status: 'pending',
        attempt_count: 4,
        schedule_start: 4,
        redelivery: 'red_2',
      });
      expect([item.claim, calls]).toEqual([undefined, 2]);
    },
  );

  test('when the delivery had a redelivery before the attempt, as usual', async () => {
    item.redelivery = 'red_1';
    const recorded = await recordAttempt('clm_1', { ...delivery(), redelivery: 'red_1' }, completed(204));
    expect([recorded?.delivery.status, item.status, calls]).toEqual(['succeeded', 'succeeded', 1]);
  });

  test('of a probe with the times of the hold, also those that a release wrote meanwhile', async () => {
    const { next_attempt_at: _, ...held } = { ...delivery(13), due_partition: 'held#acme#whs_1' };
    item = { ...held };
    await recordAttempt('clm_1', held, { ...completed(500), isProbe: true });
    expect(item).toMatchObject({ attempt_count: 14, due_partition: 'held#acme#whs_1' });
    item = { ...held, due_partition: 'due#1', enqueue_at: '2026-03-01T09:30:20.000Z' };
    await recordAttempt('clm_1', held, { ...completed(500), isProbe: true });
    expect(item).toMatchObject({ due_partition: 'due#1', enqueue_at: '2026-03-01T09:30:20.000Z' });
    expect(calls).toBe(2);
  });

  test('that was the last of the schedule in the transaction that parks the delivery', async () => {
    const parked: object[] = [];
    const undoParking = onWire(async ({ name, input }) => {
      expect(name).toBe('TransactWriteItems');
      const [{ Update }] = input.TransactItems as [{ Update: { Key: object } }];
      parked.push(unmarshall(Update.Key as never));
      return success({});
    });
    const recorded = await recordAttempt('clm_1', delivery(12), completed(500));
    undoParking();
    expect(recorded?.delivery).toMatchObject({ status: 'pending', parked: 1 });
    expect(parked).toEqual([{ pk: delivery().pk, sk: delivery().sk }]);
  });

  test.each([
    ['without the excerpt of its answer when the person was erased meanwhile', false, null],
    ['with the excerpt of its answer when the person was erased before', true, 'Thank you'],
  ])('%s', async (_, erased, excerpt) => {
    item = { ...delivery(), ...(erased && { erased }) };
    const read = { ...item } as unknown as Delivery;
    before = () => {
      item = { ...item, erased: true };
    };
    const { attempt: sent, ...rest } = completed(500);
    const recorded = await recordAttempt('clm_1', read, {
      ...rest,
      attempt: { ...sent, response_excerpt: 'Thank you' },
    });
    expect(item.attempts).toMatchObject([{ ...sent, response_excerpt: excerpt, payload: 'full' }]);
    expect([recorded?.delaySeconds, item.schedule_start]).toEqual([expect.any(Number), 0]);
    expect(recorded?.delaySeconds).toBeGreaterThan(0);
  });
});
