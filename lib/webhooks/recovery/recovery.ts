import { plus } from '../../dynamodb/expressions.ts';
import type { GatheredReads } from '../../dynamodb/gatheredReads.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { write } from '../../dynamodb/transact.ts';
import { log } from '../../logs/log.ts';
import { counts } from '../../logs/metrics.ts';
import { ended, isUnderWay, waiting } from '../deliveries/transitions.ts';
import { type Delivery, positionOf } from '../model/delivery.ts';
import { subscriptionKey, suspensionKey } from '../model/keys.ts';
import { firstWaiting, isProbed, isSent, type Subscription } from '../model/subscription.ts';
import { isSuspended } from '../model/subscriptions.ts';
import { lostAfterMs } from '../queue/due.ts';
import {
  delayMaxSeconds,
  deliveryMessage,
  enqueue,
  type RecoveryMessage,
  startRecovery,
} from '../queue/messages.ts';
import { isDownForLong, nextProbeAt, suspend } from '../receivers/down.ts';
import { answersOf, changeAll, enqueueAll, type Judgement, reachedBy, type Scan, scan } from './window.ts';

// The recovery of a subscription: it goes over the log, and sends what rests, oldest first. What rests is never before `recovery_next`. A step
// acts first and is committed then, on the condition that there was no other one, and that nothing came to rest again meanwhile.

/** How many deliveries the first window has, and the most. A window follows the other in somewhat more than a second. */
const sizeStart = 10;
const sizeMax = 300;

/** A message that comes earlier after a step was not sent by it. */
const earlyMs = 500;

/** When the sweep sends a message in place of one that was lost. */
const againMs = 60_000;

const dayMs = 24 * 3_600_000;

/** Makes a step. A message that is received twice, or that is out of date, does no harm. */
export async function runRecovery(
  { account, subscription_id: id }: RecoveryMessage,
  reads: GatheredReads,
): Promise<void> {
  const [item, suspension] = await reads.read(subscriptionKey(account, id), suspensionKey(account));
  const subscription = item as Subscription | undefined;
  if (subscription?.enqueue_at === undefined) return;
  const step = new Step(account, subscription);
  if (isSuspended(suspension) || !(isSent(subscription) || isProbed(subscription))) await step.stopped();
  else if (isSent(subscription)) await step.send();
  else await step.probe();
}

/** What a step plans: when the sweep sends the next message, unless the message that is sent after `delayMs` has come. */
interface Plan {
  dueAt: number;
  delayMs?: number;
}

/** A step of the recovery of a subscription. */
class Step {
  private readonly account: string;
  private readonly subscription: Subscription;
  private readonly now = Date.now();
  /** Deliveries that have rested for too long. */
  private readonly old: Delivery[] = [];

  constructor(account: string, subscription: Subscription) {
    this.account = account;
    this.subscription = subscription;
  }

  /** Sends the next window, if most of the last one was answered. */
  async send(): Promise<void> {
    const { account, subscription, now } = this;
    const {
      id,
      log_count,
      recovery_step_at,
      recovery_next = 0,
      recovery_from = recovery_next,
      recovery_size = sizeStart,
    } = subscription;
    if (recovery_step_at !== undefined && now - Date.parse(recovery_step_at) < earlyMs) return;
    const answers = await answersOf(account, id, {
      from: recovery_from,
      to: recovery_next,
      since: recovery_step_at ?? '',
    });
    if (2 * answers.open > recovery_size) {
      await this.plan({}, { dueAt: now + againMs, delayMs: 1000 });
      return;
    }
    const size = sizeAfter(recovery_size, answers);
    const found = await this.scan({ from: recovery_next, end: log_count, most: size }, (delivery) =>
      this.isYoung(delivery) ? 'stop' : 'take',
    );
    const changed = [...(await this.expire()), ...(await this.release(found.taken))];
    const next = reachedBy(found.next, [...this.old, ...found.taken], changed);
    const changes = {
      recovery_next: next,
      recovery_from: found.taken.length > 0 ? recovery_next : next,
      recovery_size: size,
    };
    if (found.taken.length > 0) await this.plan(changes, { dueAt: now + againMs, delayMs: 1000 });
    else await this.goOn({ ...found, next }, changes);
  }

  /** Plans the step after one that has sent nothing. */
  private async goOn({ next, end }: Pick<Scan, 'next' | 'end'>, changes: object): Promise<void> {
    const { now, subscription } = this;
    if (end === 'limit') await this.plan(changes, { dueAt: now + againMs, delayMs: 1000 });
    else if (end === 'end' && next >= subscription.log_count) await this.finish(changes);
    else await this.plan(changes, { dueAt: now + lostAfterMs });
  }

  /** Tries the receiver with one of the oldest deliveries, in turn, because a delivery may be at fault. */
  async probe(): Promise<void> {
    const { account, subscription, now } = this;
    const { id, log_count, recovery_next = 0, probes = 1, next_probe_at } = subscription;
    if (next_probe_at !== null && Date.parse(next_probe_at) > now + earlyMs) return;
    if (isDownForLong(subscription, now)) {
      await suspend(account, subscription);
      return startRecovery(account, id);
    }
    const found = await this.scan({ from: recovery_next, end: log_count, most: candidatesMax }, () => 'take');
    const passed = reachedBy(found.next, this.old, await this.expire());
    const next = Math.min(passed, ...found.taken.map(positionOf));
    const moved = { recovery_next: next, recovery_from: next };
    const tried = found.taken[(probes - 1) % found.taken.length];
    if (!tried) return this.goOn({ ...found, next: passed }, moved);
    const at = nextProbeAt(probes, now);
    const changes = { ...moved, recovery_size: sizeStart, probes: probes + 1, next_probe_at: at };
    // Committed first: two messages must not try it twice.
    const isCommitted = await this.plan(changes, { dueAt: Date.parse(at), delayMs: Date.parse(at) - now });
    if (isCommitted) await enqueue([{ message: { ...deliveryMessage(tried), probe: true }, queue: 'slow' }]);
  }

  /** Only gives up what has rested for too long. */
  async stopped(): Promise<void> {
    const { now, subscription } = this;
    const { log_count, recovery_next = 0 } = subscription;
    const end = Math.min(log_count, firstWaiting(subscription));
    const found = await this.scan({ from: recovery_next, end, most: 0 }, () => 'stop');
    const next = Math.max(recovery_next, reachedBy(found.next, this.old, await this.expire()));
    const changes = { recovery_next: next, recovery_from: next };
    if (next >= log_count || found.end === 'limit') return this.goOn({ ...found, next }, changes);
    await this.plan(changes, { dueAt: now + dayMs });
  }

  private scan(
    range: { from: number; end: number; most: number },
    judge: (delivery: Delivery) => Judgement,
  ): Promise<Scan> {
    const [first, firstResent] = [firstWaiting(this.subscription), firstWaiting(this.subscription, true)];
    return scan(this.account, this.subscription, range, (delivery) => {
      const { phase, due_partition, resent } = delivery;
      // What ended is done, and what waits is in the due index, as is a claim of what has waited.
      if (phase.at === 'ended' || due_partition !== undefined) return 'pass';
      if (isUnderWay(delivery, this.now)) return 'stop';
      if (positionOf(delivery) >= (resent ? firstResent : first)) return judge(delivery);
      this.old.push(delivery);
      return 'pass';
    });
  }

  /** Whether a message may be under way for it. */
  private isYoung(delivery: Delivery): boolean {
    const { resumed_position = 0 } = this.subscription;
    return (
      positionOf(delivery) >= resumed_position && Date.parse(delivery.created_at) > this.now - lostAfterMs
    );
  }

  private async release(taken: readonly Delivery[]): Promise<Delivery[]> {
    const { account, subscription, now } = this;
    if (taken.length === 0) return [];
    const due = new Date(now).toISOString();
    const released = await changeAll(taken, (delivery) => waiting(delivery, due, now));
    await enqueueAll(released, subscription);
    log.info('resting deliveries are sent', {
      account,
      subscription: subscription.id,
      ...counts('deliveries_released', released.length),
    });
    return released;
  }

  private async expire(): Promise<Delivery[]> {
    if (this.old.length === 0) return [];
    const expired = await changeAll(this.old, (delivery) =>
      ended(delivery, { how: 'failed', why: 'expired' }),
    );
    log.warn('resting deliveries were given up', {
      account: this.account,
      subscription: this.subscription.id,
      ...counts('deliveries_expired', expired.length),
    });
    return expired;
  }

  /** Commits a step, and sends the message for the next one. @returns whether it was committed */
  private async plan(changes: object, { dueAt, delayMs }: Plan): Promise<boolean> {
    const { account, subscription, now } = this;
    const { committed } = await this.commit({ ...changes, enqueue_at: new Date(dueAt).toISOString() });
    const delaySeconds = delayMs === undefined ? undefined : Math.ceil((delayMs - (Date.now() - now)) / 1000);
    if (!committed) await this.retry();
    else if (delaySeconds !== undefined && delaySeconds <= delayMaxSeconds)
      await startRecovery(account, subscription.id, Math.max(0, delaySeconds));
    return committed;
  }

  /** Ends the recovery: nothing rests. Unless there are new deliveries. */
  private async finish(changes: object): Promise<void> {
    const { log_count, version } = this.subscription;
    const done = { ...changes, due_partition: undefined, enqueue_at: undefined };
    const { committed } = await this.commit(done, { log_count, version });
    if (!committed) await this.plan(changes, { dueAt: this.now + lostAfterMs });
  }

  private commit(changes: object, conditions: object = {}) {
    const { id, recovery_steps } = this.subscription;
    return write(
      webhooks.update(
        subscriptionKey(this.account, id),
        { ...changes, recovery_steps: plus(1), recovery_step_at: new Date(this.now).toISOString() },
        { if: { recovery_steps, ...conditions } },
      ),
    );
  }

  /** The subscription has changed since it was read. */
  private retry(): Promise<void> {
    return startRecovery(this.account, this.subscription.id, 1);
  }
}

/** A receiver is tried with so many deliveries in turn. */
const candidatesMax = 3;

/** The size of the next window: twice as many after a success, half as many after an overload. */
function sizeAfter(size: number, { accepted, overloads }: { accepted: number; overloads: number }): number {
  if (overloads > 0) return Math.max(1, Math.floor(size / 2));
  return accepted > 0 ? Math.min(sizeMax, size * 2) : size;
}
