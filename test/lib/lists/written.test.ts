import { afterEach, expect, test } from 'vitest';
import type { Change } from '../../../infra/local/stream/streamClient.ts';
import { contacts } from '../../../lib/resources/contacts.ts';
import { orders } from '../../../lib/resources/orders.ts';
import { aContact, anOrder, givenAccount, givenContacts, givenOrders } from '../../support/data/given.ts';
import { keyOfStatement, statementsOf } from '../../support/faults/statements.ts';
import { onWire } from '../../support/faults/wire.ts';
import { expectedIndex, indexed } from '../../support/pipeline/expectedIndex.ts';
import { index } from '../../support/pipeline/stream.ts';
import { usePipeline } from '../../support/pipeline/usePipeline.ts';

// Which items of the index a change writes.

const pipeline = usePipeline();
let undo = () => {};
afterEach(() => undo());

const changesOf = async (account: string): Promise<Change[]> => (await pipeline.changes()).get(account) ?? [];

/** Indexes the changes of an account. @returns what was written, by the filters: `status=completed`, `updated/hour` */
async function writtenBy(account: string): Promise<string[]> {
  const changes = await changesOf(account);
  const written: string[] = [];
  undo = onWire(({ input }, send) => {
    for (const statement of statementsOf<{ S: string }>(input))
      written.push(keyOfStatement(statement).pk.S.split('#')[2] as string);
    return send();
  });
  expect(await index(changes)).toEqual([]);
  undo();
  return written.map((name) => name.replace(/=[0-9a-z]{20}$/, '=…')).sort();
}

const times = ['updated/day', 'updated/hour', 'updated/month'];

test('a new record is added to the set of each of its values', async () => {
  const account = givenAccount();
  await givenContacts(account, [aContact({ email: 'a@example.com', phone: null, tags: ['x', 'y'] })]);
  expect(await writtenBy(account)).toEqual(['email=…', 'tag=…', 'tag=…']);
});

test('a change of one value writes the two sets between which the record moves, and the times of changes', async () => {
  const account = givenAccount();
  const order = anOrder({ status: 'confirmed', placed_at: '2026-03-01T09:30:00Z' });
  await givenOrders(account, [order]);
  await writtenBy(account);
  await givenOrders(account, [{ ...order, status: 'completed' }]);
  expect(await writtenBy(account)).toEqual(['status=completed', 'status=confirmed', ...times]);
  expect(await indexed(account)).toEqual(await expectedIndex(account, orders));
});

test('another time in the same hour writes only the set of the hour', async () => {
  const account = givenAccount();
  const order = anOrder({ placed_at: '2026-03-01T09:30:00Z' });
  await givenOrders(account, [order]);
  await writtenBy(account);
  await givenOrders(account, [{ ...order, placed_at: '2026-03-01T09:30:01Z' }]);
  expect(await writtenBy(account)).toEqual(['placed/hour', ...times]);
  expect(await indexed(account)).toEqual(await expectedIndex(account, orders));
});

test('a change of what has no filter writes only the times of changes', async () => {
  const account = givenAccount();
  const contact = aContact({ email: 'a@example.com', tags: ['x'] });
  await givenContacts(account, [contact]);
  await writtenBy(account);
  await givenContacts(account, [{ ...contact, first_name: 'Ada' }]);
  expect(await writtenBy(account)).toEqual(times);
  expect(await indexed(account)).toEqual(await expectedIndex(account, contacts));
});
