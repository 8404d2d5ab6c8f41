import type { Key } from '../../../lib/keys/key.ts';
import { subscriptionsOf } from '../../../lib/webhooks/model/subscriptions.ts';
import { changeAll } from '../webhooks/subscriptionChanges.ts';
import { type FoundSubscription, table } from '../webhooks/subscriptionsOutput.ts';

/** The subscriptions that keys have made or changed. They outlive them. */
export async function leftBehindBy(
  keys: readonly Pick<Key, 'id' | 'accountId'>[],
  { pause }: { pause: boolean },
): Promise<FoundSubscription[]> {
  const found: FoundSubscription[] = [];
  for (const { id, accountId: account } of keys)
    for (const subscription of await subscriptionsOf(account, id)) found.push({ account, subscription });
  return pause ? changeAll('pause', found, { dryRun: false }) : found;
}

export function wordsFor(found: readonly FoundSubscription[]): string {
  if (found.length === 0) return 'No webhook subscription was made or changed with it.';
  const active = found.filter(({ subscription }) => subscription.status === 'active').length;
  return [
    'Webhook subscriptions that were made or changed with it:',
    table(found),
    active === 0
      ? 'Nothing is sent to any of them.'
      : `${active} of them ${active === 1 ? 'is' : 'are'} still sent to: --pause-subscriptions pauses them.`,
  ].join('\n');
}
