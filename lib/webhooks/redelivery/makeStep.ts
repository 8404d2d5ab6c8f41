import { isSubscribed } from '../../contract/eventTypes.ts';
import { readItems } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { type Action, transact } from '../../dynamodb/transact.ts';
import { blockSize } from '../../records/position.ts';
import { readRange } from '../../records/range.ts';
import { restarted } from '../deliveries/transitions.ts';
import { enqueueAgainAt } from '../jobs/dueTimes.ts';
import { deliveryMessage, enqueue } from '../jobs/queue.ts';
import { whileUnchanged } from '../model/changeSubscription.ts';
import { type Delivery, positionOf } from '../model/delivery.ts';
import { anyDueShard, deliveryKey, logPartition, runningRedeliveryKey } from '../model/keys.ts';
import { findSubscription } from '../model/readSubscriptions.ts';
import { isProven, type Subscription } from '../model/subscription.ts';
import { expiryAfter, type Redelivery } from './redelivery.ts';

/** The pace: how many deliveries a message restarts; the next message comes a second later. */
const restartsMax = 10;

/**
 * A host that has never accepted anything gets one delivery, and another one after this time: whoever asks may send to a host that is
 * not theirs.
 */
const unprovenMs = 15 * 60_000;

/**
 * What a step has come to. moved: the redelivery after it, and how many deliveries the message may still restart. overtaken: another
 * message has made it. waits: its host is unproven, or its subscription is not active; what is restarted then would be held, and
 * released at another pace.
 */
export type Step =
  | { kind: 'moved'; after: Redelivery; room: number }
  | { kind: 'overtaken' }
  | { kind: 'waits' };

/**
 * One step of a bulk redelivery: restarts the next deliveries and moves on, in one transaction.
 * @param before how many deliveries the message has restarted before
 * @returns undefined when others were at the deliveries or at the subscription
 */
export async function makeStep(
  account: string,
  subscription: string,
  redelivery: Redelivery,
  before: number,
): Promise<Step | undefined> {
  const to = await findSubscription(account, subscription);
  if (to && !isProven(to) && isRecent(redelivery.restarted_at)) return { kind: 'waits' };
  const room = to ? (isProven(to) ? restartsMax : 1) - before : 0;
  const { chosen, next } = to
    ? await nextChosen(account, subscription, fromHost(redelivery, to), room)
    : { chosen: [], next: redelivery.next_position };
  if (chosen.length > 0 && to?.status !== 'active') return { kind: 'waits' };
  const after = moved(redelivery, chosen, next, to !== undefined);
  const { refused } = await transact([
    move(redelivery, after),
    ...(to && chosen.length > 0 ? restartAll(account, to, chosen, redelivery) : []),
    ...(after.state === 'running' ? [] : [end(account, subscription, redelivery)]),
  ]);
  if (refused?.[0]?.kind === 'refused') return { kind: 'overtaken' };
  if (refused) return undefined;
  await enqueue(
    chosen.map((delivery) => ({ message: deliveryMessage(delivery), queue: to?.speed ?? 'slow' })),
  );
  return { kind: 'moved', after, room: room - chosen.length };
}

const isRecent = (restartedAt: string | undefined): boolean =>
  restartedAt !== undefined && Date.now() - Date.parse(restartedAt) < unprovenMs;

/** Without what was made for another host, if the host has changed since the request. */
const fromHost = (redelivery: Redelivery, { host_position = 0 }: Subscription): Redelivery => ({
  ...redelivery,
  next_position: Math.max(redelivery.next_position, Math.min(host_position, redelivery.end_position)),
});

const restartAll = (
  account: string,
  to: Subscription,
  chosen: readonly Delivery[],
  { sk }: Redelivery,
): Action[] => [
  whileUnchanged(account, to),
  ...chosen.map((delivery) => restarted(account, to, delivery, sk).action),
];

/** A redelivery after a step. @param exists whether its subscription does */
function moved(
  redelivery: Redelivery,
  chosen: readonly Delivery[],
  next_position: number,
  exists: boolean,
): Redelivery {
  const now = new Date();
  const last = chosen.at(-1);
  const isDone = next_position >= redelivery.end_position;
  const state = !exists ? 'cancelled' : isDone ? 'completed' : 'running';
  return {
    ...redelivery,
    state,
    next_position,
    last_position: last ? positionOf(last) : redelivery.last_position,
    redelivered: redelivery.redelivered + chosen.length,
    skipped: redelivery.skipped + next_position - redelivery.next_position - chosen.length,
    runs: redelivery.runs + 1,
    restarted_at: last ? now.toISOString() : redelivery.restarted_at,
    updated_at: now.toISOString(),
    due_partition: state === 'running' ? anyDueShard() : undefined,
    enqueue_at: state === 'running' ? enqueueAgainAt(now) : undefined,
    ttl: state === 'running' ? undefined : expiryAfter(now),
  };
}

/** Refused when another message has made the same step. */
function move({ pk, sk, runs: read }: Redelivery, after: Redelivery): Action {
  const { state, next_position, redelivered, skipped, last_position, restarted_at, runs } = after;
  const { updated_at, due_partition, enqueue_at, ttl } = after;
  const steps = { state, next_position, redelivered, skipped, last_position, restarted_at, runs };
  const times = { updated_at, due_partition, enqueue_at, ttl };
  return webhooks.update({ pk, sk }, { ...steps, ...times }, { if: { runs: read } });
}

/** Lets another redelivery of the subscription start. */
const end = (account: string, subscription: string, { sk }: Redelivery): Action =>
  webhooks.delete(runningRedeliveryKey(account, subscription), { if: { redelivery: sk } });

/** The most positions that a step looks at: so a step is short, and long enough where it finds nothing. */
const positionsMax = 1000;

/** Whether a redelivery sends the event of a delivery again. A pending one is not restarted: its event will be sent anyway. */
const isChosen = ({ status_filter, event_types }: Redelivery, { status, event_type }: Delivery): boolean =>
  (status === 'failed' || (status === 'succeeded' && status_filter === 'all')) &&
  (event_types === null || isSubscribed(event_types, event_type));

/**
 * The next deliveries of a redelivery, by what they are now, in the order of the log; and the position behind them. A position
 * without a delivery has expired, or was stored a moment ago and is pending.
 * @param most how many deliveries
 */
async function nextChosen(
  account: string,
  subscription: string,
  redelivery: Redelivery,
  most: number,
): Promise<{ chosen: Delivery[]; next: number }> {
  const partitionOf = (position: number) => logPartition(account, subscription, position);
  const end = Math.min(redelivery.end_position, redelivery.next_position + positionsMax);
  const chosen: Delivery[] = [];
  let next = redelivery.next_position;
  while (next < end) {
    const to = Math.min(end, (Math.floor(next / blockSize) + 1) * blockSize);
    const items = await readRange({ table: webhooks.name, partitionOf }, next, to);
    const found = (items as unknown as Delivery[]).filter((delivery) => isChosen(redelivery, delivery));
    const taken = found.slice(0, most - chosen.length);
    chosen.push(...taken);
    next = taken.length < found.length ? positionOf(taken.at(-1) as Delivery) + 1 : to;
    if (chosen.length === most) break;
  }
  return { chosen, next };
}

/** Whether the delivery that was restarted last still waits for its attempt. A held one waits for its subscription, and not for us. */
export async function isUntried(
  account: string,
  subscription: string,
  { sk, last_position }: Redelivery,
): Promise<boolean> {
  if (last_position === undefined) return false;
  const [last] = await readItems<Delivery>(webhooks, [deliveryKey(account, subscription, last_position)]);
  return (
    last?.status === 'pending' &&
    last.redelivery === sk &&
    last.next_attempt_at !== undefined &&
    last.attempt_count === last.schedule_start &&
    !last.postponements
  );
}
