import { describeError, log } from '../../log.ts';
import type { Attempt } from '../model/attempt.ts';
import type { Subscription } from '../model/subscription.ts';
import { type AdaptiveRate, gainOf, isOverload, lowered, rateMax, startRate } from './adaptiveRate.ts';
import { expiryOfPace, type PaceItem, readPace, updatePace } from './paceItem.ts';

// What an attempt during a drain has shown about the rate that its receiver bears.

/** Begins a drain with a low rate. @returns the pace of the drain */
export async function startPace(account: string, { id }: Subscription): Promise<PaceItem> {
  const { item } = await updatePace(account, id, {
    UpdateExpression:
      'SET drain_rate = :rate, drain_threshold = :threshold, overloads = :none, #ttl = :ttl REMOVE lowered_at',
    ExpressionAttributeValues: {
      ':rate': startRate.rate,
      ':threshold': startRate.threshold,
      ':none': 0,
      ':ttl': expiryOfPace(Date.now()),
    },
  });
  return item;
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
  const by = (gain: number, condition: string) =>
    updatePace(account, id, {
      UpdateExpression: 'SET drain_rate = drain_rate + :gain, overloads = :none, #ttl = :ttl',
      ConditionExpression: condition,
      ExpressionAttributeValues: {
        ':gain': gain,
        ':none': 0,
        ':ttl': expiryOfPace(Date.now()),
        ':max': rateMax,
      },
    });
  const { item, refused } = await by(
    gainOf({ rate: 0, threshold: 1 }),
    'drain_rate < drain_threshold AND drain_rate < :max',
  );
  if (refused?.item) await by(gainOf(rateIn(item)), 'drain_rate < :max');
}

/**
 * Attempts that were under way together are one overload, and lower the rate once: a receiver that has just accepted some and refused
 * the rest is not down.
 */
async function lower(account: string, id: string, { started_at }: Attempt): Promise<void> {
  const { rate, threshold } = lowered(rateIn(await readPace(account, { id })));
  await updatePace(account, id, {
    UpdateExpression:
      'SET drain_rate = :rate, drain_threshold = :threshold, lowered_at = :now, #ttl = :ttl ADD overloads :one',
    ConditionExpression: 'attribute_not_exists(lowered_at) OR lowered_at < :started',
    ExpressionAttributeValues: {
      ':rate': rate,
      ':threshold': threshold,
      ':one': 1,
      ':now': new Date().toISOString(),
      ':started': started_at,
      ':ttl': expiryOfPace(Date.now()),
    },
  });
}
