import { describe, expect, test } from 'vitest';
import { blankContact, type Contact } from '../../lib/contract/contacts.ts';
import { contacts } from '../../lib/records/contacts.ts';
import { createTogether } from '../../lib/records/create/createTogether.ts';
import { newDraft } from '../../lib/records/create/draft.ts';
import { givenAccount } from '../support/data/given.ts';
import { inPool } from '../support/data/pool.ts';
import { allContacts } from '../support/data/stored.ts';
import { type Fault, faultsAt, useFaultyDatabase } from '../support/faults/faults.ts';

// Several create at once, through the waiting room, and one of them meets every fault at each of its calls.

const database = useFaultyDatabase();

const others = Array.from({ length: 4 }, (_, i) => `other-${i}`);

/** What an operation of 10 s gives to its work. */
const othersMs = 9000;
const draftOf = (external_id: string) => newDraft<Contact>({ ...blankContact, external_id });

async function meet(fault: Fault): Promise<void> {
  const account = givenAccount();
  const label = `call ${fault.at} ${fault.name}`;
  const together = (name: string) => createTogether(contacts, account, draftOf(name), Date.now() + othersMs);
  const victim = database
    .runUntilKilled(() => createTogether(contacts, account, draftOf('victim'), Date.now() + 8000), fault)
    .catch((error: Error) => error);
  const fates = await Promise.all(others.map(together));
  const outcome = await victim;
  // Somebody comes later, and finds whatever is left.
  fates.push(await together('late'));

  const made = await allContacts(account);
  const names = made.map(({ external_id }) => external_id);
  expect(new Set(names).size, `${label}: somebody is there twice`).toBe(names.length);
  expect(names, label).toEqual(expect.arrayContaining([...others, 'late']));
  for (const [i, fate] of fates.entries())
    expect(made[fate.kind === 'placed' ? fate.position : -1]?.external_id, label).toBe(
      [...others, 'late'][i],
    );
  const isPlaced = outcome !== undefined && 'kind' in outcome && outcome.kind === 'placed';
  // To a creator that loses the database for good nobody can promise that it hears what became of its draft.
  if (!fault.lasts) expect(isPlaced, label).toBe(true);
  if (isPlaced) expect(names[outcome.position], label).toBe('victim');
}

describe('whatever happens to a call of one creator', () => {
  test('it is placed at most once, as the others are, and what it is told is true', {
    timeout: 120_000,
  }, async () => {
    const { calls } = await database.run(() =>
      createTogether(contacts, givenAccount(), draftOf('alone'), Date.now() + 20_000),
    );
    expect(new Set(calls)).toEqual(
      new Set(['PutItem', 'Query', 'BatchGetItem', 'GetItem', 'TransactWriteItems', 'BatchWriteItem']),
    );
    await inPool(10, faultsAt(calls.length), meet);
  });
});
