import { changeByOperator, isChangedBy, type OperatorChange } from '../../../lib/webhooks/receivers/stop.ts';
import { countOf } from '../../terminal/output.ts';
import type { FoundSubscription } from './subscriptionsOutput.ts';

/**
 * Stops or resumes subscriptions, one after the other. After an early end it can be run again safely.
 * @returns the subscriptions after the change; with `dryRun` before it, and whether each would change
 */
export async function changeAll(
  change: OperatorChange,
  found: readonly FoundSubscription[],
  { dryRun }: { dryRun: boolean },
): Promise<FoundSubscription[]> {
  const done: FoundSubscription[] = [];
  for (const { account, subscription } of found) {
    const changed = isChangedBy(change, subscription);
    const next = changed && !dryRun ? await changeByOperator(change, account, subscription.id) : subscription;
    done.push({ account, subscription: next, changed });
  }
  return done;
}

const participles: Record<OperatorChange, string> = {
  pause: 'paused',
  resume: 'resumed',
  block: 'paused',
  unblock: 'resumed',
};

/** A sentence with the number of subscriptions that were changed, or would be. */
export function sentenceOf(
  change: OperatorChange,
  done: readonly FoundSubscription[],
  dryRun: boolean,
): string {
  const count = done.filter(({ changed }) => changed).length;
  const verb = dryRun ? 'would be' : count === 1 ? 'was' : 'were';
  return `${count} of ${countOf(done.length, 'subscription')} ${verb} ${participles[change]}.`;
}
