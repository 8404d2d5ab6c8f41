import { expect, test } from 'vitest';
import { append } from '../../lib/records/commitQueue/append.ts';
import { createInGroup } from '../../lib/records/commitQueue/follower.ts';
import { noteContention } from '../../lib/records/commitQueue/queue.ts';
import { newDraft } from '../../lib/records/recordItem.ts';
import { inAccount } from '../../lib/records/recordKeys.ts';
import { type Contact, contacts } from '../../lib/resources/contacts.ts';
import { givenAccount } from '../support/data/given.ts';
import { inPool } from '../support/data/pool.ts';
import { allContacts } from '../support/data/stored.ts';
import { type Fault, faultsOf, useFaultyDatabase } from '../support/faults/faults.ts';

// Several create at once, through the commit queue, and a bulk among them meets every fault at each of its calls.

const database = useFaultyDatabase();

const others = Array.from({ length: 4 }, (_, i) => `other-${i}`);

/** Six bulks at once meet a fault each. With more at the same time, a busy machine cannot keep the time of all of them. */
const atOnce = 6;

/** What an operation of 10 s gives to its work. */
const othersMs = 9000;
const draftOf = (external_id: string) => newDraft<Contact>(contacts, { ...contacts.blank, external_id });

/** A bulk meets a fault while others create. */
async function meetAsBulk(fault: Fault): Promise<void> {
  const account = givenAccount();
  const label = `call ${fault.at} ${fault.name}`;
  const create = (name: string) =>
    createInGroup(inAccount(contacts, account), draftOf(name), Date.now() + othersMs);
  // More than one transaction carries.
  const drafts = Array.from({ length: 36 }, (_, i) => draftOf(`bulk-${i}`));
  const bulk = database
    .runUntilKilled(() => {
      noteContention({ account, type: contacts.type });
      return append(inAccount(contacts, account), drafts, Date.now() + 5000);
    }, fault)
    .catch((error: Error) => error);
  await Promise.all(others.map(create));
  const outcomes = await bulk;
  await create('late');

  const made = await allContacts(account);
  const names = made.map(({ external_id }) => external_id);
  expect(new Set(names).size, `${label}: somebody is there twice`).toBe(names.length);
  expect(names, label).toEqual(expect.arrayContaining([...others, 'late']));
  if (!(outcomes instanceof Map)) return;
  for (const [draft, outcome] of outcomes)
    if (outcome.kind === 'committed') expect(names[outcome.position], label).toBe(draft.content.external_id);
}

test('with any fault of a call of a bulk, every draft is committed at most once, and what the bulk reports is true', async () => {
  const { calls } = await database.run(() => {
    const account = givenAccount();
    noteContention({ account, type: contacts.type });
    return append(inAccount(contacts, account), [draftOf('alone')], Date.now() + 20_000);
  });
  // The others wait for a lease to run out, time and again.
  await inPool(atOnce, faultsOf(calls), meetAsBulk);
});
