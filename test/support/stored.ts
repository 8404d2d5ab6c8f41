import type { Contact } from '../../lib/contract/contacts.ts';
import { contacts } from '../../lib/records/contacts.ts';
import { listRecords } from '../../lib/records/list.ts';

/** All contacts of an account, in their order. */
export async function allContacts(account: string): Promise<Contact[]> {
  const all: Contact[] = [];
  for (let total = 1; all.length < total; ) {
    const page = await listRecords(contacts, account, { limit: 100, offset: all.length });
    total = page.pagination.total;
    all.push(...page.data);
  }
  return all;
}
