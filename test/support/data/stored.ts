import { env, required } from '../../../lib/env.ts';
import { listRecords } from '../../../lib/records/listByOffset.ts';
import { inAccount } from '../../../lib/records/recordKeys.ts';
import type { Collection, Stored } from '../../../lib/resources/collection.ts';
import { collectionOf } from '../../../lib/resources/collections.ts';
import { contacts } from '../../../lib/resources/contacts.ts';
import { resourceTypes } from '../../../lib/resources/index.ts';
import { listDeliveries } from '../../../lib/webhooks/log/listDeliveries.ts';
import { listSubscriptions, readSubscriptions } from '../../../lib/webhooks/model/subscriptions.ts';
import { scan } from './scan.ts';

/** All records and subscriptions of an account, at most 100 of each kind, with their totals, and the deliveries. */
export async function everythingOf(account: string): Promise<unknown[]> {
  const page = { limit: 100, offset: 0 };
  return Promise.all([
    ...resourceTypes.map((type) => listRecords(inAccount(collectionOf(type), account), page)),
    listSubscriptions(account, page),
    ...(await readSubscriptions(account)).map(({ id }) =>
      listDeliveries(account, id, page, { kind: 'full' }),
    ),
  ]);
}

/** What two accounts in which the same was done have in common. */
export const shapeOf = (stored: unknown): unknown =>
  JSON.parse(JSON.stringify(stored), (name, value) =>
    /^(id|url|.*_id|number|secret_hint|.*_at)$/.test(name) ? typeof value : value,
  );

/** All contacts of an account, in their order. */
export const allContacts = (account: string) => allRecords(contacts, account);

/** All records of a collection, in their order. */
export async function allRecords<R extends Stored>(collection: Collection<R>, account: string): Promise<R[]> {
  const all: R[] = [];
  for (let total = 1; all.length < total; ) {
    const page = await listRecords(inAccount(collection, account), { limit: 100, offset: all.length });
    total = page.pagination.total;
    all.push(...page.data);
  }
  return all;
}

/** The partitions of an account in the Webhooks table that contain a text. */
export async function whereStored(account: string, text: string): Promise<string[]> {
  const items = await scan(required(env.webhooksTable));
  const own = items.filter(({ pk }) => String(pk).startsWith(`${account}#`));
  return own.filter((item) => JSON.stringify(item).includes(text)).map(({ pk }) => pk as string);
}
