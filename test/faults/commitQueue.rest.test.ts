import { describe, expect, test } from 'vitest';
import { append } from '../../lib/records/commitQueue/append.ts';
import { newDraft } from '../../lib/records/commitQueue/draft.ts';
import { createInGroup } from '../../lib/records/commitQueue/follower.ts';
import { noteContention } from '../../lib/records/commitQueue/queue.ts';
import { inAccount } from '../../lib/records/keys.ts';
import { type Contact, contacts } from '../../lib/resources/contacts.ts';
import { givenAccount } from '../support/data/given.ts';
import { inPool } from '../support/data/pool.ts';
import { allContacts } from '../support/data/stored.ts';
import { type Fault, faultsOf, useFaultyDatabase } from '../support/faults/faults.ts';

// Several create at once, through the commit queue, and one of them meets every fault at each of its calls.

const database = useFaultyDatabase();

const others = Array.from({ length: 4 }, (_, i) => `other-${i}`);

/** Five or six creates meet each fault. With more at the same time, a busy machine cannot keep the time of all of them. */
const atOnce = 6;

/** What an operation of 10 s gives to its work. */
const othersMs = 9000;
const draftOf = (external_id: string) => newDraft<Contact>({ ...contacts.blank, external_id });

async function meet(fault: Fault): Promise<void> {
  const account = givenAccount();
  const label = `call ${fault.at} ${fault.name}`;
  const create = (name: string) =>
    createInGroup(inAccount(contacts, account), draftOf(name), Date.now() + othersMs);
  const victim = database
    .runUntilKilled(
      () => createInGroup(inAccount(contacts, account), draftOf('victim'), Date.now() + 8000),
      fault,
    )
    .catch((error: Error) => error);
  const outcomes = await Promise.all(others.map(create));
  const outcome = await victim;
  // Another creator comes later and finds what is left.
  outcomes.push(await create('late'));

  const made = await allContacts(account);
  const names = made.map(({ external_id }) => external_id);
  expect(new Set(names).size, `${label}: somebody is there twice`).toBe(names.length);
  expect(names, label).toEqual(expect.arrayContaining([...others, 'late']));
  for (const [i, other] of outcomes.entries())
    expect(made[other.kind === 'committed' ? other.position : -1]?.external_id, label).toBe(
      [...others, 'late'][i],
    );
  const isCommitted = outcome !== undefined && 'kind' in outcome && outcome.kind === 'committed';
  // A creator that has no database any more cannot learn the outcome of its draft.
  if (!fault.lasts) expect(isCommitted, label).toBe(true);
  if (isCommitted) expect(names[outcome.position], label).toBe('victim');
}

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

describe('with any fault of a call of a bulk', () => {
  test('every draft is committed at most once, and what the bulk reports is true', async () => {
    const { calls } = await database.run(() => {
      const account = givenAccount();
      noteContention({ account, type: contacts.type });
      return append(inAccount(contacts, account), [draftOf('alone')], Date.now() + 20_000);
    });
    // The others wait for a lease to run out, time and again.
    await inPool(atOnce, faultsOf(calls), meetAsBulk);
  });
});

describe('with any fault of a call of one creator', () => {
  test('every draft is committed at most once, and the answer of the creator is true', async () => {
    const { calls } = await database.run(() =>
      createInGroup(inAccount(contacts, givenAccount()), draftOf('alone'), Date.now() + 20_000),
    );
    expect(new Set(calls)).toEqual(
      new Set(['PutItem', 'UpdateItem', 'Query', 'GetItem', 'TransactWriteItems', 'BatchWriteItem']),
    );
    await inPool(atOnce, faultsOf(calls), meet);
  });
});
