import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { blankContact, type Contact } from '../../../lib/contract/contacts.ts';
import { contacts } from '../../../lib/records/contacts.ts';
import { createRecord } from '../../../lib/records/create.ts';
import { newDraft, recordAt } from '../../../lib/records/draft.ts';
import { getRecord } from '../../../lib/records/get.ts';
import { listRecords } from '../../../lib/records/list.ts';
import { readDrafts, readQueue } from '../../../lib/records/queue.ts';
import { enterRoom } from '../../../lib/records/room.ts';
import { likeTheRealOne } from '../../support/contention.ts';
import { givenAccount } from '../../support/given.ts';
import { failure, onWire } from '../../support/wire.ts';

let undo = () => {};
afterEach(() => undo());

const soon = () => Date.now() + 20_000;
const create = (account: string, more: Partial<Contact> = {}, deadline = soon()) =>
  createRecord(contacts, account, { ...blankContact, email: 'a@example.com', ...more }, deadline);

async function everybody(account: string): Promise<Contact[]> {
  const { data, pagination } = await listRecords(contacts, account, { limit: 100, offset: 0 });
  const all = [...data];
  while (all.length < pagination.total)
    all.push(...(await listRecords(contacts, account, { limit: 100, offset: all.length })).data);
  return all;
}

const place = (account: string) => ({ account, type: contacts.type });

describe('alone', () => {
  test('is one transaction, and a read of the length only the first time', async () => {
    const account = givenAccount();
    const calls: string[] = [];
    undo = onWire((call, send) => {
      calls.push(call.name);
      return send();
    });
    await create(account);
    expect(calls.splice(0).filter((name) => name !== 'Query')).toEqual(['GetItem', 'TransactWriteItems']);
    await create(account);
    expect(calls.splice(0).filter((name) => name !== 'Query')).toEqual(['TransactWriteItems']);
  });

  test('finds out by the refusal that the length it remembers is out of date', async () => {
    const account = givenAccount();
    await create(account);
    // Another process would not tell this one: its create goes past the memory of this one.
    const draft = newDraft<Contact>({ ...blankContact, email: 'b@example.com' }, new Date());
    const { placeAt } = await import('../../../lib/records/place.ts');
    await placeAt(contacts, account, 1, [{ draft }]);
    const calls: string[] = [];
    undo = onWire((call, send) => {
      calls.push(call.name);
      return send();
    });
    const third = await create(account);
    expect(calls.filter((name) => name === 'TransactWriteItems')).toHaveLength(2);
    expect(await everybody(account)).toEqual([expect.anything(), recordAt(contacts, draft, 1), third]);
  });

  test('is done once when the answer got lost', async () => {
    const account = givenAccount();
    let lost = 0;
    undo = onWire(async (call, send) => {
      const answer = await send();
      if (call.name !== 'TransactWriteItems' || lost++ > 0) return answer;
      throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    });
    const contact = await create(account, { external_id: 'once' });
    expect(lost).toBe(2);
    expect(await everybody(account)).toEqual([contact]);
  });
});

describe('in company', () => {
  test.each([
    ['on this machine', { latencyMs: 0, conflicts: false }],
    ['like the real database, with conflicts', { latencyMs: 8, conflicts: true }],
  ])('60 at once all succeed: no hole, no double, everybody reads their own (%s)', async (_, settings) => {
    const account = givenAccount();
    undo = likeTheRealOne(settings);
    const names = Array.from({ length: 60 }, (_, i) => `n${i}`);
    const made = await Promise.all(
      names.map((first_name) => create(account, { first_name, external_id: first_name })),
    );
    undo();
    const all = await everybody(account);
    expect(all).toHaveLength(60);
    expect(new Set(all.map(({ first_name }) => first_name))).toEqual(new Set(names));
    for (const contact of made) expect(await getRecord(contacts, account, contact.id)).toEqual(contact);
    expect(await readQueue(place(account))).toEqual([]);
  });

  test('of ten with the same external id one gets it, and the others are told whose it is', async () => {
    const account = givenAccount();
    undo = likeTheRealOne();
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () => create(account, { external_id: 'same' })),
    );
    undo();
    const [contact, ...none] = await everybody(account);
    expect(none).toEqual([]);
    const refusals = results.filter((result) => result.status === 'rejected');
    expect(refusals).toHaveLength(9);
    for (const { reason } of refusals)
      expect(reason.message).toBe(`external_id "same" already belongs to the contact ${contact?.id}`);
  });

  test('who died while waiting is placed by those who follow, and holds nobody up', async () => {
    const account = givenAccount();
    const orphan = newDraft<Contact>({ ...blankContact, email: 'orphan@example.com' }, new Date());
    await enterRoom(place(account), orphan, soon());
    undo = likeTheRealOne();
    await Promise.all(Array.from({ length: 12 }, () => create(account)));
    undo();
    const all = await everybody(account);
    expect(all).toHaveLength(13);
    expect(all.filter(({ email }) => email === 'orphan@example.com')).toHaveLength(1);
  });

  test('who died and is past the deadline is never placed', async () => {
    const account = givenAccount();
    const orphan = newDraft<Contact>({ ...blankContact, email: 'late@example.com' }, new Date());
    await enterRoom(place(account), orphan, Date.now() - 1);
    undo = likeTheRealOne();
    await Promise.all(Array.from({ length: 12 }, () => create(account)));
    undo();
    expect((await everybody(account)).map(({ email }) => email)).not.toContain('late@example.com');
  });

  test('who gives up at the deadline is out of the room, and what was promised holds', async () => {
    const account = givenAccount();
    // Every transaction meets a conflict, so nobody gets anywhere.
    undo = onWire(async (call, send) => {
      if (call.name !== 'TransactWriteItems') return send();
      const count = (call.input.TransactItems as unknown[]).length;
      const CancellationReasons = Array.from({ length: count }, () => ({ Code: 'TransactionConflict' }));
      return failure('TransactionCanceledException', { CancellationReasons });
    });
    const results = await Promise.allSettled([1, 2, 3].map(() => create(account, {}, Date.now() + 600)));
    undo();
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await everybody(account)).toEqual([]);
    expect(await readQueue(place(account))).toEqual([]);
  });

  test('an answer lost in company is found again in the queue', async () => {
    const account = givenAccount();
    const real = likeTheRealOne();
    let lost = 0;
    const unhook = onWire(async (call, send) => {
      const answer = await send();
      const marks = JSON.stringify(call.input).includes('placed_at = :position');
      if (call.name !== 'TransactWriteItems' || !marks || lost >= 3) return answer;
      lost += 1;
      throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    });
    undo = () => {
      unhook();
      real();
    };
    const made = await Promise.all(Array.from({ length: 20 }, () => create(account)));
    undo();
    expect(lost).toBe(3);
    expect(new Set((await everybody(account)).map(({ id }) => id))).toEqual(
      new Set(made.map(({ id }) => id)),
    );
  });

  test('large drafts go in several transactions', async () => {
    const account = givenAccount();
    undo = likeTheRealOne();
    const custom_fields = () =>
      Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`f${i}`, randomBytes(250).toString('hex')]));
    await Promise.all(Array.from({ length: 20 }, () => create(account, { custom_fields: custom_fields() })));
    undo();
    expect(await everybody(account)).toHaveLength(20);
  });
});

test('a ticket whose draft is not there yet is left out of what is placed', async () => {
  const account = givenAccount();
  const draft = newDraft<Contact>({ ...blankContact, email: 'a@example.com' }, new Date());
  const ticket = await enterRoom(place(account), draft, soon());
  const [one, ...more] = await readDrafts<Contact>(place(account), ['000000000000000-none', ticket]);
  expect(more).toEqual([]);
  expect(one?.ticket).toBe(ticket);
  expect(recordAt(contacts, one?.draft as typeof draft, 7)).toEqual(recordAt(contacts, draft, 7));
});
