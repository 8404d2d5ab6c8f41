import { setTimeout as sleep } from 'node:timers/promises';
import { listMatching } from '../../../lib/lists/list.ts';
import { inAccount } from '../../../lib/records/keys.ts';
import { contacts } from '../../../lib/resources/contacts.ts';

/** Waits until the index knows this many contacts of an account that have the tag `customer`. */
export async function untilIndexed(account: string, customers: number): Promise<void> {
  const query = { limit: 1, offset: 0, sort: 'created_at', tag: ['customer'] } as const;
  while ((await listMatching(inAccount(contacts, account), query)).pagination.total < customers)
    await sleep(200);
}
