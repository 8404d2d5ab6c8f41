import { changeByOperator, isChangedBy } from '../../../lib/webhooks/subscriptions/byOperator.ts';
import type { Found } from './subscriptionsOutput.ts';

/**
 * Pauses or resumes subscriptions, one after the other. It can be run again after it has ended early: what is done is done.
 * @returns them as they are now; with `dryRun` as they are, and which of them would be changed
 */
export async function changeAll(
  change: 'pause' | 'resume',
  found: readonly Found[],
  { dryRun }: { dryRun: boolean },
): Promise<Found[]> {
  const done: Found[] = [];
  for (const { account, subscription } of found) {
    const changed = isChangedBy(change, subscription);
    const next = changed && !dryRun ? await changeByOperator(change, account, subscription.id) : subscription;
    done.push({ account, subscription: next, changed });
  }
  return done;
}

/** What was changed, or would be, in a sentence. */
export function sentenceOf(change: 'pause' | 'resume', done: readonly Found[], dryRun: boolean): string {
  const count = done.filter(({ changed }) => changed).length;
  const verb = dryRun ? 'would be' : count === 1 ? 'was' : 'were';
  return `${count} of ${done.length} ${done.length === 1 ? 'subscription' : 'subscriptions'} ${verb} ${change}d.`;
}
