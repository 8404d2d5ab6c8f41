import type { Account } from '../client/account.ts';
import type { Page } from '../load/reads.ts';
import type { Copy } from '../model/copy.ts';
import type { Subscriber } from '../receivers/subscribe.ts';

/** The copy that was made from the feed has each version of each contact, and nothing else. */
export function verifyCopy(account: Account, copy: Copy): void {
  const { records } = account;
  for (let row = 0; row < records.seen; row++)
    if (!copy.has(row, records.versionOf(row)))
      account.report(`the feed has not exactly the versions of ${records.idOf(row)}`);
}

/** A receiver has accepted the event of each version, and of no other. */
export function verifyReceiver({ receiver }: Subscriber): void {
  const { account, accepted } = receiver;
  const { records } = account;
  for (let row = 0; row < records.seen; row++)
    if (!accepted.areUpTo(row, records.versionOf(row)))
      account.report(`${receiver.name} has not accepted exactly the versions of ${records.idOf(row)}`);
}

/** @returns how many changes the log of a subscription does not show as delivered yet */
export async function outstandingInLog(subscriber: Subscriber): Promise<number> {
  const total = await totalInLog(subscriber, '&status=succeeded');
  return subscriber.receiver.account.records.changes - (total ?? 0);
}

/** The log of a subscription has one delivery for each change, and none has failed. */
export async function verifyLog(subscriber: Subscriber): Promise<void> {
  const { account, name } = subscriber.receiver;
  for (const filter of ['', '&status=succeeded']) {
    const total = await totalInLog(subscriber, filter);
    if (total !== account.records.changes)
      account.report(`${name} has ${total} deliveries${filter}, and must have ${account.records.changes}`);
  }
}

async function totalInLog({ receiver, subscriptionId }: Subscriber, filter: string) {
  const path = `/webhook-subscriptions/${subscriptionId}/deliveries?limit=1${filter}`;
  const reply = await receiver.account.call({ method: 'GET', path }, 'full', { kind: 'log' });
  return (reply?.body as Page<object> | undefined)?.pagination?.total;
}
