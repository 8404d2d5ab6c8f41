import { absentOrBelow, fulfils, plus } from '../../dynamodb/expressions.ts';
import { describeError, log } from '../../logs/log.ts';
import type { Attempt } from '../model/attempt.ts';
import type { Subscription } from '../model/subscription.ts';
import { type AdaptiveRate, gainOf, isOverload, lowered, rateMax, startRate } from './adaptiveRate.ts';
import { expiryOfPace, type PaceItem, readPace, updatePace } from './paceItem.ts';

// What an attempt during a drain has shown about the rate that its receiver bears.

/** Begins a drain with a low rate. @returns the pace of the drain */
export async function startPace(account: string, { id }: Subscription): Promise<PaceItem> {
  const { answer = {} } = await updatePace(account, id, {
    drain_rate: startRate.rate,
    drain_threshold: startRate.threshold,
    overloads: 0,
    lowered_at: undefined,
    ttl: expiryOfPace(Date.now()),
  });
  return answer;
}

/** Notes an attempt. It never throws: without the note, the drain goes on at its rate. */
export async function noteRate(account: string, { id }: Subscription, attempt: Attempt): Promise<void> {
  try {
    if (attempt.outcome === 'success') await raise(account, id);
    else if (isOverload(attempt)) await lower(account, id, attempt);
  } catch (error) {
    log.warn('the pace of a subscription was not noted', { error: describeError(error) });
  }
}

const rateIn = ({ drain_rate, drain_threshold }: PaceItem): AdaptiveRate => ({
  rate: drain_rate ?? startRate.rate,
  threshold: drain_threshold ?? startRate.threshold,
});

async function raise(account: string, id: string): Promise<void> {
  const by = (gain: number, isRaised: (rate: string, max: string) => string) =>
    updatePace(
      account,
      id,
      { drain_rate: plus(gain), overloads: 0, ttl: expiryOfPace(Date.now()) },
      { drain_rate: fulfils(isRaised, rateMax) },
    );
  const fast = gainOf({ rate: 0, threshold: 1 });
  const { refused } = await by(fast, (rate, max) => `${rate} < drain_threshold AND ${rate} < ${max}`);
  if (refused?.item) await by(gainOf(rateIn(refused.item)), (rate, max) => `${rate} < ${max}`);
}

/**
 * Attempts that were under way together are one overload, and lower the rate once: a receiver that has just accepted some and refused
 * the rest is not down.
 */
async function lower(account: string, id: string, { started_at }: Attempt): Promise<void> {
  const { rate, threshold } = lowered(rateIn(await readPace(account, { id })));
  const changes = {
    drain_rate: rate,
    drain_threshold: threshold,
    lowered_at: new Date().toISOString(),
    overloads: plus(1),
    ttl: expiryOfPace(Date.now()),
  };
  await updatePace(account, id, changes, { lowered_at: absentOrBelow(started_at) });
}
