import type { Change } from '../../../infra/local/stream/streamClient.ts';
import { aContact, givenContacts } from '../data/given.ts';
import { anOrder, givenOrders } from '../data/orders.ts';
import { inPool } from '../data/pool.ts';
import type { GivenSubscriber } from './conservation.ts';
import type { usePipeline } from './usePipeline.ts';

/** The changes in an account, and its subscriptions. */
export interface AccountWithChanges {
  subscribed: GivenSubscriber[];
  changes: Change[];
}

/** Accounts with two subscriptions each, in which three things happened. */
export async function givenChanges(
  pipeline: ReturnType<typeof usePipeline>,
  amount: number,
): Promise<AccountWithChanges[]> {
  const all: GivenSubscriber[][] = [];
  const numbers = Array.from({ length: amount }, (_, number) => number);
  await inPool(8, numbers, async () => {
    const first = await pipeline.subscribe();
    const { account } = first;
    all.push([first, await pipeline.subscribe({ event_types: ['contact.*'] }, account)]);
    await givenContacts(account, [aContact({ note: 'a canary' }), aContact()]);
    await givenOrders(account, [anOrder()]);
  });
  const changes = await pipeline.changes();
  return all.map((subscribed) => ({ subscribed, changes: changes.get(subscribed[0]?.account ?? '') ?? [] }));
}
