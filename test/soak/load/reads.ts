import type { Contact } from '../../../lib/resources/contacts/fields.ts';
import type { Account } from '../client/account.ts';
import { emailOf, externalIdOf, isNamed, tagCount } from '../model/content.ts';
import type { Work } from './creates.ts';

export interface Page<Item> {
  data: Item[];
  pagination: { limit: number; offset: number; total: number };
}

const limits = [10, 25, 100];

export const get: Work = async (account, dueAt) => {
  const known = account.records.random(account.random);
  if (!known) return list(account, dueAt);
  const since = account.records.now();
  const contact = await account.read<Contact>(`/contacts/${known.id}`, { kind: 'get', dueAt });
  if (!contact) return;
  if (contact.id !== known.id) account.report(`${contact.id} is the answer for ${known.id}`);
  account.check([contact], since);
};

/** A read with the version that is known: 304, or a contact that is newer. */
export const getIfNoneMatch: Work = async (account, dueAt) => {
  const known = account.records.random(account.random);
  if (!known) return list(account, dueAt);
  const since = account.records.now();
  const headers = { 'If-None-Match': `"${known.version}"` };
  const request = { method: 'GET', path: `/contacts/${known.id}`, headers };
  const reply = await account.call(request, 'reader', { kind: 'get', dueAt });
  if (reply?.status === 200) account.check([reply.body as Contact], since);
  else if (reply && reply.status !== 304) account.refused(`the read of ${known.id}`, reply);
};

/** A page anywhere, in either order: the total is exact, and each position keeps its record. */
export const list: Work = async (account, dueAt) => {
  const { records, random } = account;
  const [limit, isNewestFirst] = [account.pick(limits), random.below(4) === 0];
  const offset = random.below(records.acknowledged + 1);
  const [since, min] = [records.now(), records.totalMin()];
  const query = `limit=${limit}&offset=${offset}${isNewestFirst ? '&sort=-created_at' : ''}`;
  const page = await account.read<Page<Contact>>(`/contacts?${query}`, { kind: 'list', dueAt });
  if (!page) return;
  const { data, pagination } = page;
  const { total } = pagination;
  account.report(records.wrongTotal(total, min));
  if (data.length !== Math.min(limit, Math.max(0, total - offset)))
    account.report(`${query} has ${data.length} of ${total} contacts`);
  for (const [i, { id }] of data.entries())
    account.report(records.wrongAt(isNewestFirst ? total - 1 - offset - i : offset + i, id));
  account.check(data, since);
};

/** What a filtered list must show. */
interface Filter {
  query: string;
  /** Whether a contact matches. */
  has(contact: Contact): boolean;
  /** A contact that must be in the list; such a filter is strongly consistent. */
  id?: string;
}

function aFilter(account: Account): Filter {
  const tag = `tag-${account.random.below(tagCount)}`;
  const since = new Date(Date.now() - 10_000).toISOString();
  const known = account.records.random(account.random);
  const filters: Filter[] = [
    { query: `tag=${tag}`, has: ({ tags }) => tags.includes(tag) },
    { query: `tag=${tag}&sort=-created_at`, has: ({ tags }) => tags.includes(tag) },
    { query: `updated_since=${since}`, has: ({ updated_at }) => updated_at >= since },
  ];
  if (!known) return account.pick(filters);
  const [email, externalId] = [emailOf(known.serial), externalIdOf(known.serial)];
  filters.push({ query: `email=${email}`, has: (contact) => contact.email === email });
  if (isNamed(known.serial))
    filters.push({ query: `external_id=${externalId}`, has: ({ id }) => id === known.id, id: known.id });
  return account.pick(filters);
}

/** Each contact of a filtered list matches, and has the content that it has now. */
export const filter: Work = async (account, dueAt) => {
  const { query, has, id } = aFilter(account);
  const since = account.records.now();
  const page = await account.read<Page<Contact>>(`/contacts?${query}`, { kind: 'filter', dueAt });
  if (!page) return;
  account.check(page.data, since);
  const wrong = page.data.find((contact) => !has(contact));
  if (wrong) account.report(`${query} shows ${wrong.id}, which does not match`);
  if (id !== undefined && page.data[0]?.id !== id) account.report(`${query} does not show ${id}`);
};
