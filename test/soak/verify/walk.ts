import type { Contact } from '../../../lib/resources/contacts/fields.ts';
import type { Account } from '../client/account.ts';
import type { Page } from '../load/reads.ts';

const limit = 100;
const options = { kind: 'walk' };

/** The whole list of an account, page by page. */
export async function* walk(account: Account): AsyncGenerator<Page<Contact>> {
  for (let offset = 0; ; offset += limit) {
    const page = await account.read<Page<Contact>>(`/contacts?limit=${limit}&offset=${offset}`, options);
    if (!page) return;
    yield page;
    if (offset + limit >= page.pagination.total) return;
  }
}

/** The whole of a filtered list: each page begins behind the last record of the one before. */
export async function* walkBehind(account: Account, filter: string): AsyncGenerator<Page<Contact>> {
  for (let behind = ''; ; ) {
    const page = await account.read<Page<Contact>>(`/contacts?${filter}&limit=${limit}${behind}`, options);
    const last = page?.data.at(-1);
    if (!page || !last) return;
    yield page;
    behind = `&after=${last.id}`;
  }
}
