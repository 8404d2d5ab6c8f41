import { isSubscribed } from '../../contract/eventTypes.ts';
import type { GatheredReads } from '../../dynamodb/gatheredReads.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { type Action, transact, write } from '../../dynamodb/transact.ts';
import { log } from '../../logs/log.ts';
import { redelivered } from '../deliveries/transitions.ts';
import { type Delivery, positionOf } from '../model/delivery.ts';
import { redeliveryKey, runningRedeliveryKey, subscriptionKey, suspensionKey } from '../model/keys.ts';
import { isProven, isSent, type Subscription } from '../model/subscription.ts';
import { isSuspended } from '../model/subscriptions.ts';
import { enqueueAgainAt } from '../queue/due.ts';
import { enqueue, type RecoveryMessage, recoveryMessage } from '../queue/messages.ts';
import {
  answersOf,
  changeAll,
  enqueueAll,
  isUnprovenFree,
  reachedBy,
  scan,
  unprovenTurn,
} from '../recovery/window.ts';
import { expiryAfter, type Redelivery } from './redelivery.ts';

/** How many deliveries a step sends again; the next step comes a second later. */
const sizeMax = 10;

/** When the sweep lets a redelivery go on that waits: its host is unproven, or its subscription is not sent events. */
const waitsMs = 15 * 60_000;

/**
 * Handles a message that lets a bulk redelivery go on: a recovery over what has ended, with an end, a filter and counters. A message that is
 * received twice does no harm, because each step requires the number of steps before it.
 */
export async function continueRedelivery(
  { account, subscription_id: id }: RecoveryMessage,
  redelivery_id: string,
  reads: GatheredReads,
): Promise<void> {
  const [item, to, suspension] = await reads.read(
    redeliveryKey(account, id, redelivery_id),
    subscriptionKey(account, id),
    suspensionKey(account),
  );
  const redelivery = item as Redelivery | undefined;
  if (redelivery?.state !== 'running') return;
  if (!to) return void (await commit(account, id, redelivery, { state: 'cancelled' }));
  await step(account, redelivery, to as unknown as Subscription, isSuspended(suspension));
}

async function step(
  account: string,
  redelivery: Redelivery,
  to: Subscription,
  isAccountSuspended: boolean,
): Promise<void> {
  const { id, host_position = 0 } = to;
  const { sk, next_position, end_position, from_position = next_position, updated_at } = redelivery;
  const now = Date.now();
  const next = (delaySeconds: number) => enqueue([recoveryMessage(account, id, delaySeconds, sk)]);
  const isMine = ({ redelivery: last }: Delivery): boolean => last === sk;
  const window = { from: from_position, to: next_position, since: updated_at };
  const { open } = await answersOf(account, id, window, isMine);
  if (open > 0) return void (await next(1));
  const isFree = isProven(to) || isUnprovenFree(to, now);
  const mayBeSent = isSent(to) && !isAccountSuspended && isFree;
  let before = 0;
  const passed: Passed[] = [];
  const from = Math.max(next_position, Math.min(host_position, end_position));
  const most = !mayBeSent ? 0 : isProven(to) ? sizeMax : 1;
  const found = await scan(account, to, { from, end: end_position, most }, (delivery) => {
    // This step was made before, and not committed.
    if (isMine(delivery)) before++;
    const why = isMine(delivery) ? undefined : leftOutFor(redelivery, delivery);
    if (why) passed.push({ position: positionOf(delivery), why });
    return why || isMine(delivery) ? 'pass' : 'take';
  });
  if (found.taken.length > 0 && !isProven(to))
    if (!(await write(unprovenTurn(account, to, now).action)).committed) return void (await next(1));
  const sent = await changeAll(found.taken, (delivery) => redelivered(delivery, sk, now));
  await enqueueAll(sent, to);
  const reached = Math.max(next_position, reachedBy(found.next, found.taken, sent));
  // Those behind it are counted when they are read again.
  const again = before + sent.filter((delivery) => positionOf(delivery) < reached).length;
  const left_out = { ...redelivery.left_out };
  left_out.earlier_host += from - next_position;
  for (const { position, why } of passed) if (position < reached) left_out[why] += 1;
  const waits = found.end === 'full' && found.taken.length === 0;
  const isCommitted = await commit(account, id, redelivery, {
    state: reached >= end_position ? 'completed' : 'running',
    next_position: reached,
    from_position: next_position,
    redelivered: redelivery.redelivered + again,
    skipped: redelivery.skipped + reached - next_position - again,
    left_out,
    enqueue_at: new Date(waits ? now + waitsMs : Date.parse(enqueueAgainAt(new Date(now)))).toISOString(),
  });
  if (isCommitted && !waits && reached < end_position) await next(sent.length > 0 ? 1 : 0);
}

/** A delivery that a step leaves out. */
interface Passed {
  position: number;
  why: keyof Redelivery['left_out'];
}

/** Why a redelivery does not send the event of a delivery again. One that has not ended is pending: its event will be sent anyway. */
function leftOutFor(
  { status_filter, event_types }: Redelivery,
  { phase, event_type }: Delivery,
): Passed['why'] | undefined {
  if (event_types !== null && !isSubscribed(event_types, event_type)) return 'other_type';
  if (phase.at !== 'ended') return 'pending';
  const isChosen = phase.how === 'failed' || (phase.how === 'succeeded' && status_filter === 'all');
  return isChosen ? undefined : 'other_status';
}

/** @returns false when another message has made the same step */
async function commit(
  account: string,
  id: string,
  { pk, sk, runs }: Redelivery,
  changes: Partial<Redelivery>,
): Promise<boolean> {
  const now = new Date();
  const isOver = changes.state !== 'running';
  const action = webhooks.update(
    { pk, sk },
    {
      ...changes,
      runs: runs + 1,
      updated_at: now.toISOString(),
      ...(isOver ? { due_partition: undefined, enqueue_at: undefined, ttl: expiryAfter(now) } : {}),
    },
    { if: { runs } },
  );
  const { committed } = await transact(isOver ? [action, end(account, id, sk)] : [action]);
  if (committed && isOver)
    log.info('a bulk redelivery ended', { account, subscription_id: id, redelivery_id: sk, ...changes });
  return committed;
}

/** Lets another redelivery of the subscription start. */
const end = (account: string, subscription: string, redelivery: string): Action =>
  webhooks.delete(runningRedeliveryKey(account, subscription), { if: { redelivery } });
