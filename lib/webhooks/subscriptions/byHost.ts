import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { queryPages } from '../../dynamodb/query.ts';
import { readItems } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { transact } from '../../dynamodb/transact.ts';
import { ownerOf } from '../model/keys.ts';
import { stopHost } from '../model/stoppedHosts.ts';
import type { Subscription } from '../model/subscription.ts';
import { isSubscriptionId } from '../model/subscriptions.ts';
import { webhooksTable } from '../model/table.ts';

// The subscriptions of any account to a host, for the operator of the API.

/** How long conflicts with other changes are retried. */
const limitMs = 10_000;

/** The items of all accounts that have a host. The index is eventually consistent: a very new one may be missing. */
async function* itemsWith(host: string): AsyncGenerator<Record<string, unknown>> {
  const { name, partitionKey } = webhooksTable.byHost;
  const pages = queryPages({ ...webhooks.where({ [partitionKey]: host }), IndexName: name });
  for await (const items of pages) {
    const keys = items.map(({ pk, sk }) => ({ pk: pk as string, sk: sk as string }));
    // The index may be out of date: the subscription may be deleted, or have another host now.
    for (const item of await readItems(webhooks, keys)) if (item.host === host) yield item;
  }
}

/** The subscriptions of all accounts whose URL has a host. */
export async function* subscriptionsTo(
  host: string,
): AsyncGenerator<{ account: string; subscription: Subscription }> {
  for await (const item of itemsWith(host))
    if (isSubscriptionId(item.sk as string))
      yield {
        account: ownerOf(item.pk as string).account,
        subscription: item as unknown as Subscription,
      };
}

/** The accounts for which a host is stopped. */
export async function accountsStoppedFor(host: string): Promise<string[]> {
  const accounts: string[] = [];
  for await (const { pk, sk } of itemsWith(host))
    if (!isSubscriptionId(sk as string)) accounts.push(ownerOf(pk as string).account);
  return accounts;
}

/** Lets an account subscribe a host again whose subscription was paused, and then deleted or redirected by its owner. */
export async function resumeHost(account: string, host: string): Promise<void> {
  await untilCommitted(Date.now() + limitMs, async () =>
    (await transact([stopHost(account, host, false)])).committed ? {} : undefined,
  );
}
