import { type StatedResource, statements } from '../../../lib/contract/inbox.ts';
import { collectionOf } from '../../../lib/inbox/resources.ts';
import { listKeys } from '../../../lib/keys/store.ts';
import { readHead } from '../../../lib/records/head.ts';
import { readSubscriptions } from '../../../lib/webhooks/model/subscriptions.ts';

export interface AccountContents {
  keys: number;
  subscriptions: number;
  records: number;
}

export async function contentsOf(account: string): Promise<AccountContents> {
  const resources = Object.keys(statements) as StatedResource[];
  const [keys, subscriptions, ...counts] = await Promise.all([
    listKeys(account),
    readSubscriptions(account),
    ...resources.map((resource) => readHead({ account, type: collectionOf(resource).type })),
  ]);
  return {
    keys: keys.length,
    subscriptions: subscriptions.length,
    records: counts.reduce((sum, { count, deleted = 0 }) => sum + count - deleted, 0),
  };
}

/** Whether nothing exists of an account: its name may be mistyped. */
export const isNew = ({ keys, subscriptions, records }: AccountContents): boolean =>
  keys + subscriptions + records === 0;
