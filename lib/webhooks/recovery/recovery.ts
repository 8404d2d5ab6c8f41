import { type Changes, type Conditions, plus, within } from '../../dynamodb/expressions.ts';
import type { GatheredReads } from '../../dynamodb/gatheredReads.ts';
import type { Item } from '../../dynamodb/item.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { write } from '../../dynamodb/transact.ts';
import { log } from '../../logs/log.ts';
import { counts } from '../../logs/metrics.ts';
import { ended, waiting } from '../deliveries/transitions.ts';
import { type Delivery, isUnderWay, logPositionOf } from '../model/delivery.ts';
import { firstWaiting, isProbed, isSent, type Subscription } from '../model/subscription.ts';
import { isSuspended } from '../model/subscriptions.ts';
import { subscriptionKey, suspensionKey } from '../model/webhookKeys.ts';
import {
  delayMaxSeconds,
  enqueueDeliveries,
  lostAfterMs,
  probeMessage,
  type RecoveryMessage,
  startRecovery,
} from '../queue/messages.ts';
import { suspend } from '../receivers/health.ts';
import { nextProbeAt, suspendedAfterMs } from '../receivers/retrySchedule.ts';
import {
  answersOf,
  changeDeliveries,
  enqueueAll,
  type Judgement,
  resumePosition,
  type Scan,
  scan,
} from './window.ts';

// The recovery of a subscription. Deliveries to a receiver that is down are held: they stay in the log, and no message is in flight for them.
// When the receiver accepts again, the recovery reads the log from `recovery.next` on and sends the held deliveries, oldest first. Nothing
// before `recovery.next` is held. The recovery sends in windows. Their size doubles after a success and halves after an overload, so the
// receiver sets the pace. A step acts first and then commits, unless another step has committed or another delivery was held in the meantime. A
// step that dies is therefore repeated. The sweep replaces a lost message, and a duplicate message has no effect.

/** The first and the largest window. The next window follows after a little more than a second. */
const sizeStart = 10;
const sizeMax = 300;

/** The receiver is tried with this many deliveries in turn, because a single delivery may be the cause of the failures. */
const candidatesMax = 3;

/** Each step sends the message for the next one with a delay of one second. A message that arrives sooner is from elsewhere, and would start a second chain of messages. */
const earlyMs = 500;

/** After this time, the sweep replaces a message that was lost. */
const againMs = 60_000;

const dayMs = 24 * 3_600_000;

/** Makes a step. A duplicate or outdated message is harmless. */
export async function runRecovery(
  { account, subscription_id: id }: RecoveryMessage,
  reads: GatheredReads,
): Promise<void> {
  const [subscription, suspension] = await reads.read<[Subscription, Item]>(
    subscriptionKey(account, id),
    suspensionKey(account),
  );
  if (subscription?.enqueue_at === undefined) return;
  const step = new Step(account, subscription);
  if (isSuspended(suspension) || !(isSent(subscription) || isProbed(subscription))) await step.stopped();
  else if (subscription.outage) await step.probe(subscription.outage);
  else await step.send();
}

type Progress = Partial<Subscription['recovery']>;

/** A step of a subscription's recovery. */
class Step {
  private readonly account: string;
  private readonly subscription: Subscription;
  private readonly now = Date.now();

  constructor(account: string, subscription: Subscription) {
    this.account = account;
    this.subscription = subscription;
  }

  /** Sends the next window, if most attempts of the last one have ended. */
  async send(): Promise<void> {
    const { account, subscription, now } = this;
    const { id } = subscription;
    const { from, next: reached, size: sizeBefore = sizeStart, step_at } = subscription.recovery;
    if (step_at !== undefined && now - Date.parse(step_at) < earlyMs) return;
    const answers = await answersOf(account, id, { from, to: reached, since: step_at ?? '' });
    if (2 * answers.open > sizeBefore) {
      await this.plan({}, now + againMs, 1000);
      return;
    }
    const size = sizeAfter(sizeBefore, answers);
    const found = await this.look(size, (delivery) => (this.isYoung(delivery) ? 'stop' : 'take'));
    if (found.taken.length === 0) {
      await this.goOn(found, { next: found.next, from: found.next, size });
      return;
    }
    const due = new Date(now).toISOString();
    const released = await changeDeliveries(found.taken, (delivery) => waiting(delivery, due, now));
    await enqueueAll(released, subscription);
    log.info('held deliveries are sent', {
      account,
      subscription: id,
      ...counts('deliveries_released', released.length),
    });
    const next = resumePosition(found.next, found.taken, released);
    await this.plan({ next, from: reached, size }, now + againMs, 1000);
  }

  /** Tries the receiver with one of the oldest deliveries, in turn. */
  async probe(outage: NonNullable<Subscription['outage']>): Promise<void> {
    const { account, subscription, now } = this;
    const { probes, next_probe_at } = outage;
    if (Date.parse(next_probe_at) > now + earlyMs) return;
    if (subscription.status === 'active' && now - Date.parse(outage.since) >= suspendedAfterMs) {
      await suspend(account, subscription);
      return startRecovery(account, subscription.id);
    }
    const found = await this.look(candidatesMax, () => 'take');
    const next = Math.min(found.next, ...found.taken.map(logPositionOf));
    const moved = { next, from: next };
    const tried = found.taken[(probes - 1) % found.taken.length];
    if (!tried) return this.goOn(found, moved);
    const at = nextProbeAt(probes, now);
    const tries = { outage: { ...outage, probes: probes + 1, next_probe_at: at } };
    // The commit comes first, so that two messages do not probe the receiver twice.
    if (await this.plan({ ...moved, size: sizeStart }, Date.parse(at), Date.parse(at) - now, tries))
      await enqueueDeliveries([probeMessage(tried)]);
  }

  /** Only expires deliveries that were held for too long. */
  async stopped(): Promise<void> {
    const { now, subscription } = this;
    const { logged, recovery } = subscription;
    const end = Math.min(logged.count, firstWaiting(logged));
    const found = await this.look(0, () => 'stop', end);
    const next = Math.max(recovery.next, found.next);
    const changes = { next, from: next };
    if (next >= logged.count || found.end === 'limit') return this.goOn({ ...found, next }, changes);
    await this.plan(changes, now + dayMs);
  }

  /** Scans the held deliveries, and expires those that were held for too long. */
  private async look(
    most: number,
    judge: (delivery: Delivery) => Judgement,
    end = this.subscription.logged.count,
  ): Promise<Scan> {
    const { account, subscription, now } = this;
    const { logged, recovery } = subscription;
    const [first, firstResent] = [firstWaiting(logged), firstWaiting(logged, true)];
    const old: Delivery[] = [];
    const range = { from: recovery.next, end, most };
    const found = await scan(account, subscription, range, (delivery) => {
      const { phase, due_partition, resent } = delivery;
      // An ended delivery needs nothing. A waiting delivery is in the due index, and so is a leased delivery that waited before.
      if (phase.at === 'ended' || due_partition !== undefined) return 'pass';
      if (isUnderWay(delivery, now)) return 'stop';
      if (logPositionOf(delivery) >= (resent ? firstResent : first)) return judge(delivery);
      old.push(delivery);
      return 'pass';
    });
    const expired = await changeDeliveries(old, (delivery) =>
      ended(delivery, { how: 'failed', why: 'expired' }),
    );
    if (expired.length > 0)
      log.warn('held deliveries expired', {
        account,
        subscription: subscription.id,
        ...counts('deliveries_expired', expired.length),
      });
    return { ...found, next: resumePosition(found.next, old, expired) };
  }

  /** Returns whether a delivery is so new that a message for it may be in flight. */
  private isYoung(delivery: Delivery): boolean {
    const { resumed_position = 0 } = this.subscription.recovery;
    return (
      logPositionOf(delivery) >= resumed_position && Date.parse(delivery.created_at) > this.now - lostAfterMs
    );
  }

  /** Plans the step after one that sent nothing. If nothing is held and there are no new deliveries, it ends the recovery. */
  private async goOn({ next, end }: Pick<Scan, 'next' | 'end'>, changes: Progress): Promise<void> {
    const { logged, version } = this.subscription;
    const isDone = end === 'end' && next >= logged.count;
    const done = { due_partition: undefined, enqueue_at: undefined };
    if (isDone && (await this.commit(changes, done, { 'logged.count': logged.count, version }))) return;
    if (end === 'limit') await this.plan(changes, this.now + againMs, 1000);
    else await this.plan(changes, this.now + lostAfterMs);
  }

  /**
   * Commits a step, and sends the message for the next one.
   * @param dueAt when the sweep sends that message
   * @param delayMs the delay of the message that is sent now
   * @returns false if the subscription has changed since it was read
   */
  private async plan(changes: Progress, dueAt: number, delayMs?: number, others?: Changes): Promise<boolean> {
    const { account, subscription, now } = this;
    const isCommitted = await this.commit(changes, { ...others, enqueue_at: new Date(dueAt).toISOString() });
    const delaySeconds = delayMs === undefined ? undefined : Math.ceil((delayMs - (Date.now() - now)) / 1000);
    if (!isCommitted) await startRecovery(account, subscription.id, 1);
    else if (delaySeconds !== undefined && delaySeconds <= delayMaxSeconds)
      await startRecovery(account, subscription.id, Math.max(0, delaySeconds));
    return isCommitted;
  }

  private async commit(changes: Progress, others: Changes, conditions: Conditions = {}): Promise<boolean> {
    const { id, recovery } = this.subscription;
    const step = { ...changes, steps: plus(1), step_at: new Date(this.now).toISOString() };
    const update = webhooks.update(
      subscriptionKey(this.account, id),
      { ...within('recovery', step), ...others },
      { if: { 'recovery.steps': recovery.steps, ...conditions } },
    );
    return (await write(update)).committed;
  }
}

/** Returns the size of the next window: twice the size after a success, half the size after an overload. */
function sizeAfter(size: number, { accepted, overloads }: { accepted: number; overloads: number }): number {
  if (overloads > 0) return Math.max(1, Math.floor(size / 2));
  return accepted > 0 ? Math.min(sizeMax, size * 2) : size;
}
