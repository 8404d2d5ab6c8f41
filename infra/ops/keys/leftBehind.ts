import type { Key } from '../../../lib/keys/key.ts';
import { subscriptionsOf } from '../../../lib/webhooks/model/readSubscriptions.ts';
import { changeAll } from '../webhooks/subscriptionChanges.ts';
import { type FoundSubscription, table } from '../webhooks/subscriptionsOutput.ts';

/** The subscriptions that a key has made or changed. They outlive it. */
export async function leftBehindBy(
  { id, accountId: account }: Pick<Key, 'id' | 'accountId'>,
  { pause }: { pause: boolean },
): Promise<FoundSubscription[]> {
  const found = (await subscriptionsOf(account, id)).map((subscription) => ({ account, subscription }));
  return pause ? changeAll('pause', found, { dryRun: false }) : found;
}

/** The same as text for a person. @param who the key, or the keys */
export function wordsFor(
  found: readonly FoundSubscription[],
  who: 'It has' | 'They have' = 'It has',
): string {
  if (found.length === 0) return `${who} made and changed no webhook subscription.`;
  const active = found.filter(({ subscription }) => subscription.status === 'active').length;
  return [
    `Webhook subscriptions that ${who.toLowerCase()} made or changed:`,
    table(found),
    active === 0
      ? 'Nothing is sent to any of them.'
      : `${active} of them ${active === 1 ? 'is' : 'are'} still sent to: --pause-subscriptions pauses them.`,
  ].join('\n');
}
