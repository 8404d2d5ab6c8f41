import { GatheredReads } from '../../../lib/dynamodb/gatheredReads.ts';
import { recordId } from '../../../lib/records/position.ts';
import { CircuitBreaker } from '../../../lib/webhooks/deliveries/circuitBreaker.ts';
import { deliver } from '../../../lib/webhooks/deliveries/deliver.ts';
import type { Delivery } from '../../../lib/webhooks/model/delivery.ts';
import { deliveryKey, eventKey, secretsKey, subscriptionKey } from '../../../lib/webhooks/model/keys.ts';
import { SlotReservations } from '../../../lib/webhooks/pace/slotReservations.ts';
import { redeliver } from '../../../lib/webhooks/redelivery/redeliver.ts';
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
    status: 'pending',
    attempt_count: 0,
    attempts: [],
    schedule_start: 0,
    next_attempt_at: at(0),
    due_partition: 'due#0',
    enqueue_at: at(30_000),
    created_at: at(0),
  });
  put(eventKey(account, 'evt_1'), { body: '{"resource":{"id":"con_1"}}' });
  put(secretsKey(account, subscription), { secrets: [{ secret: 's' }] });
  put(subscriptionKey(account, subscription), {
    id: subscription,
    url: 'https://receiver.example/',
    host: 'receiver.example',
    status: 'active',
    version: 1,
    payload: 'thin',
    speed: 'slow',
    consecutive_failures: 0,
    last_success_at: at(0),
    last_failure_at: null,
    log_count: 1,
    log_days: { '2026-01-01': 0 },
  });
};

const deliveryNow = (): Delivery => presentWorld().tables.get(table, key) as unknown as Delivery;

/** The receiver notes what must not happen. @param status of its answers, the first of them first; the last counts for all others */
const receive =
  (...statuses: number[]) =>
  (): void => {
    receiver.begins = () => {
      const { redelivery, next_attempt_at = '' } = deliveryNow();
      const underWay = (noted('under way') as number | undefined) ?? 0;
      // A claim that has run out lets another attempt begin.
      if (underWay > 0 && presentTime() < beginning + claimMs)
        note('wrong', 'Two attempts of a delivery are under way at the same time');
      if (next_attempt_at > new Date(presentTime()).toISOString())
        note('wrong', 'An attempt is made before its time');
      note('under way', underWay + 1);
      note(`sent for ${redelivery}`);
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
  run: async () => {
    await deliver({ kind: 'delivery', account, subscription_id: subscription, delivery_id: id }, 'slow', {
      breaker: new CircuitBreaker(),
      reads: new GatheredReads(table),
      slots: new SlotReservations(),
    });
  },
});

/** A call that hangs: longer than a claim lasts. */
const clock: Role = { name: 'time', run: () => sleep(claimMs + 1000) };

const redelivery: Role = {
  name: 'R',
  mayDie: true,
  run: async () => {
    const deadline = presentTime() + 5000;
    await redeliver(account, subscription, id, { access: { kind: 'full' }, deadline, once: undefined });
  },
};

/** A delivery that has succeeded stays so, unless a redelivery is asked for. */
const observe = (): void => {
  const { status, redelivery: asked } = deliveryNow();
  if (status === 'succeeded') note(`succeeded ${asked}`);
  else if (noted(`succeeded ${asked}`)) note('wrong', 'A delivery that has succeeded is attempted again');
};

function check({ isOver }: World): void {
  const wrong = noted('wrong');
  if (wrong) throw new Violation(String(wrong));
  const { status, attempts, attempt_count, due_partition, enqueue_at, redelivery: asked } = deliveryNow();
  if (attempts.length !== attempt_count) throw new Violation('An attempt is not counted once');
  if (!isOver) return;
  if (status === 'pending' && (due_partition === undefined || enqueue_at === undefined))
    throw new Violation('A delivery is lost: it is pending, and no sweep finds it');
  if (status === 'succeeded' && !noted(`sent for ${asked}`))
    throw new Violation('A redelivery was asked for, and nothing was sent after it');
}

const limits = [
  { faults: 0, stalls: 1 },
  { faults: 1, stalls: 0 },
];

export const claims: Scenario[] = [
  {
    name: 'two messages of one delivery',
    limits,
    prepare,
    roles: () => [message('A'), message('B')],
    arrange: receive(200),
    observe,
    check,
  },
  {
    name: 'two messages of one delivery, and its receiver fails',
    limits,
    prepare,
    roles: () => [message('A'), message('B')],
    arrange: receive(500),
    observe,
    check,
  },
  {
    name: 'two messages of one delivery, and a claim that runs out',
    limits: [{ faults: 0, stalls: 1 }],
    prepare,
    roles: () => [message('A'), message('B'), clock],
    arrange: receive(200, 500),
    observe,
    check,
  },
  {
    name: 'a message of a delivery, and a redelivery',
    limits,
    prepare,
    roles: () => [message('A'), redelivery],
    arrange: receive(200),
    observe,
    check,
  },
];
