import { expect, test } from 'vitest';
import { listChanges } from '../../../lib/contract/changes.ts';
import { readHead } from '../../../lib/feed/store.ts';
import { type Contact, listContacts } from '../../../lib/resources/contacts.ts';
import { aContact, givenAccount, givenContacts, givenKey } from '../../support/data/given.ts';
import { call } from '../../support/http/api.ts';
import { isWhole } from '../../support/run/extent.ts';

// A copy that is brought up to date by the list of changes and by ids, as the guide "Keep a copy in sync" says.

const amount = isWhole ? 10_000 : 400;

/** 250 for 10,000 contacts. */
const requestsMax = amount / 40;

test(`${amount} changed contacts take at most ${requestsMax} requests`, async () => {
  const account = givenAccount();
  const { text: key } = await givenKey(account, ['contacts:read']);
  const drafts = Array.from({ length: amount }, () => aContact());
  await givenContacts(account, drafts);
  const numbered = (count: number) => expect.poll(async () => (await readHead(account)).count).toBe(count);
  await numbered(amount);
  const changed = await givenContacts(
    account,
    drafts.map((draft) => ({ ...draft, note: 'changed' })),
  );
  await numbered(2 * amount);

  const copy = new Map<string, Contact>();
  let requests = 0;
  for (let [after, more] = [amount - 1, true]; more; ) {
    const { body } = await call(listChanges, { key, query: { limit: 100, after } });
    const id = [...new Set(body.data.map(({ resource }) => resource.id))].join(',');
    const { body: read } = await call(listContacts, { key, query: { id } });
    for (const contact of read.data) copy.set(contact.id, contact);
    requests += 2;
    ({ next_after: after, has_more: more } = body.pagination);
  }
  expect([...copy.values()].sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
    changed.sort((a, b) => (a.id < b.id ? -1 : 1)),
  );
  expect(requests).toBeLessThanOrEqual(requestsMax);
});
