import { GatheredReads } from '../../../lib/dynamodb/gatheredReads.ts';
import { recordId } from '../../../lib/records/position.ts';
import { deliver } from '../../../lib/webhooks/deliveries/deliver.ts';
import type { Delivery, Phase } from '../../../lib/webhooks/model/delivery.ts';
import { fromConsole, type Subscription } from '../../../lib/webhooks/model/subscription.ts';
import {
  deliveryKey,
  eventKey,
  secretsKey,
  subscriptionKey,
} from '../../../lib/webhooks/model/webhookKeys.ts';
import { runRecovery } from '../../../lib/webhooks/recovery/recovery.ts';
import { redeliver } from '../../../lib/webhooks/redelivery/redeliver.ts';
import { updateSubscription } from '../../../lib/webhooks/subscriptions/updateSubscription.ts';
import { beginning } from '../../simulation/virtualTime.ts';
import { note, noted } from '../engine/facts.ts';
import type { Role } from '../engine/model.ts';
import { type Scenario, Violation } from '../engine/search.ts';
import { presentTime, presentWorld, type World } from '../engine/world.ts';
import { receiver } from '../replaced/receiver.ts';
import { setTimeout as sleep } from '../replaced/timers.ts';

const account = 'acc_1';
const subscription = `whs_${'0'.repeat(24)}`;
const table = 'webhooks';
const id = recordId('dlv', 0, new Uint8Array(10));
const key = deliveryKey(account, subscription, 0);
const at = (ms: number): string => new Date(beginning + ms).toISOString();
const claimMs = 25_000;

const put = (itemKey: { pk: string; sk: string }, item: object): void =>
  presentWorld().tables.set(table, itemKey, { ...itemKey, ...item });

const prepare = async (): Promise<void> => {
  put(key, {
    id,
    event_id: 'evt_1',
    event_type: 'contact.updated',
    subscription_id: subscription,
    resource: { type: 'contact', id: 'con_1' },
    phase: { at: 'waiting', due: at(0), tries: 0 },
    phase_number: 1,
    attempt_count: 0,
    attempts: [],
    next_attempt_at: at(0),
    due_partition: 'due#0',
    enqueue_at: at(30_000),
    created_at: at(0),
  });
  put(eventKey(account, 'evt_1'), { body: '{"type":"contact.updated","resource":{"id":"con_1"}}' });
  put(secretsKey(account, subscription), { secrets: [{ secret: 's' }] });
  put(subscriptionKey(account, subscription), {
    id: subscription,
    url: 'https://receiver.example/',
    host: 'receiver.example',
    status: 'active',
    version: 1,
    payload: 'thin',
    key_ids: [],
    receiver: { speed: 'slow', consecutive_failures: 0, last_success_at: at(0), last_failure_at: null },
    logged: { count: 1, days: { '2026-01-01': 0 } },
    recovery: { next: 0, from: 0, steps: 0 },
  });
};

const deliveryNow = (): Delivery => presentWorld().tables.get(table, key) as unknown as Delivery;

/** As long as an attempt may take. */
const attemptMs = 15_000;

/** The receiver notes what must not happen. @param status of its answers, the first of them first; the last counts for all others */
const receive =
  (...statuses: number[]) =>
  (): void => {
    receiver.begins = (begunAt) => {
      const { phase, next_attempt_at = '' } = deliveryNow();
      const underWay = (noted('under way') as number | undefined) ?? 0;
      // A lease that has run out lets another attempt begin.
      if (underWay > 0 && presentTime() < beginning + claimMs)
        note('wrong', 'Two attempts of a delivery are under way at the same time');
      if (next_attempt_at > new Date(presentTime()).toISOString())
        note('wrong', 'An attempt is made before its time');
      if (phase.at === 'leased' && Date.parse(phase.until) < begunAt + attemptMs)
        note('wrong', 'An attempt begins that may last longer than its lease');
      note('under way', underWay + 1);
      note('sends', ((noted('sends') as number | undefined) ?? 0) + 1);
    };
    receiver.ends = () => {
      const answers = (noted('answers') as number | undefined) ?? 0;
      note('under way', (noted('under way') as number) - 1);
      note('answers', answers + 1);
      return statuses[Math.min(answers, statuses.length - 1)] as number;
    };
  };

const message = (name: string): Role => ({
  name,
  mayDie: true,
  run: () =>
    deliver(
      { kind: 'delivery', account, subscription_id: subscription, delivery_id: id },
      'slow',
      new GatheredReads(table),
    ),
});

const recoverer = (name: string): Role => ({
  name,
  mayDie: true,
  run: () =>
    runRecovery({ kind: 'recovery', account, subscription_id: subscription }, new GatheredReads(table)),
});

/** A call that hangs: longer than a lease lasts. */
const clock: Role = { name: 'time', run: () => sleep(claimMs + 1000) };

const redelivery: Role = {
  name: 'R',
  mayDie: true,
  run: async () => {
    const deadline = presentTime() + 5000;
    await redeliver(account, subscription, id, { access: { kind: 'full' }, deadline, once: undefined });
  },
};

/** The owner pauses the subscription. */
const pause: Role = {
  name: 'P',
  run: async () => {
    const change = { by: fromConsole, deadline: presentTime() + 5000, ifMatch: () => {} };
    await updateSubscription(account, subscription, { status: 'paused' }, change);
  },
};

/** Notes when the delivery is asked for again. One that has succeeded stays so, unless it is. */
const observe = (): void => {
  const { phase } = deliveryNow();
  const before = noted('phase') as unknown as Phase | undefined;
  note('phase', phase as never);
  if (!before || JSON.stringify(before) === JSON.stringify(phase)) return;
  const isAsked =
    (phase.at === 'leased' && phase.again) ||
    (phase.at === 'waiting' && phase.tries === 0 && before.at !== 'leased' && before.at !== 'held');
  if (isAsked) note('asked', (noted('sends') as number | undefined) ?? 0);
  else if (before.at === 'ended') note('wrong', 'A delivery that has succeeded is attempted again');
};

function check({ isOver }: World): void {
  const wrong = noted('wrong');
  if (wrong) throw new Violation(String(wrong));
  const { phase, attempts, attempt_count, due_partition, enqueue_at } = deliveryNow();
  if (attempts.length !== attempt_count) throw new Violation('An attempt is not counted once');
  const { recovery, enqueue_at: recoveryState } = presentWorld().tables.get(
    table,
    subscriptionKey(account, subscription),
  ) as unknown as Subscription;
  const isHeld = phase.at !== 'ended' && due_partition === undefined;
  if (isHeld && recovery.next > 0) throw new Violation('A delivery is held, and the recovery has passed it');
  if (isHeld && recoveryState === undefined)
    throw new Violation('A delivery is held, and no recovery is due');
  if (!isOver) return;
  if (phase.at === 'waiting' && (due_partition === undefined || enqueue_at === undefined))
    throw new Violation('A delivery is lost: it waits, and no sweep finds it');
  const asked = noted('asked') as number | undefined;
  if (phase.at === 'ended' && asked !== undefined && asked === noted('sends'))
    throw new Violation('A redelivery was asked for, and nothing was sent after it');
}

const limits = [
  { faults: 0, stalls: 1 },
  { faults: 1, stalls: 0 },
];

/** The delivery is held, and the recovery is due. */
const isHeld = async (): Promise<void> => {
  await prepare();
  const { due_partition: _, enqueue_at: __, next_attempt_at: ___, ...delivery } = deliveryNow();
  put(key, { ...delivery, phase: { at: 'held', tries: 0 }, created_at: at(-60_000) });
  const stored = presentWorld().tables.get(table, subscriptionKey(account, subscription)) as object;
  put(subscriptionKey(account, subscription), { ...stored, due_partition: 'due#0', enqueue_at: at(0) });
};

const common = { limits, observe, check };

export const leases: Scenario[] = [
  {
    ...common,
    name: 'two messages of one delivery',
    prepare,
    roles: () => [message('A'), message('B')],
    arrange: receive(200),
  },
  {
    ...common,
    name: 'two messages of one delivery, and its receiver fails',
    prepare,
    roles: () => [message('A'), message('B')],
    arrange: receive(500),
  },
  {
    ...common,
    name: 'two messages of one delivery, and a lease that runs out',
    limits: [{ faults: 0, stalls: 1 }],
    prepare,
    roles: () => [message('A'), message('B'), clock],
    arrange: receive(200, 500),
  },
  {
    ...common,
    name: 'a message of a delivery, and a redelivery',
    prepare,
    roles: () => [message('A'), redelivery],
    arrange: receive(200),
  },
  {
    ...common,
    name: 'a message of a delivery that is held, and the recovery',
    prepare: isHeld,
    roles: () => [message('A'), recoverer('W')],
    arrange: receive(500, 200),
  },
  {
    ...common,
    name: 'a message of a delivery that waits, the recovery, and a pause',
    limits: [{ faults: 0, stalls: 0 }],
    prepare: async () => {
      await prepare();
      const stored = presentWorld().tables.get(table, subscriptionKey(account, subscription)) as object;
      put(subscriptionKey(account, subscription), { ...stored, due_partition: 'due#0', enqueue_at: at(0) });
    },
    roles: () => [message('A'), recoverer('W'), pause],
    arrange: receive(500),
  },
];
