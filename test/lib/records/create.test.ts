import { afterEach, describe, expect, test } from 'vitest';
import { once } from '../../../lib/dynamodb/idempotency.ts';
import { commitAt } from '../../../lib/records/create/commit.ts';
import { createRecord } from '../../../lib/records/create/create.ts';
import { newDraft, recordAt } from '../../../lib/records/create/draft.ts';
import { enqueue, readQueue } from '../../../lib/records/create/queue.ts';
import { byProduct } from '../../../lib/records/origin.ts';
import { blankContact, type Contact } from '../../../lib/resources/contacts/fields.ts';
import { contacts } from '../../../lib/resources/contacts/record.ts';
import { givenAccount } from '../../support/data/given.ts';
import { allContacts } from '../../support/data/stored.ts';
import { simulateRemoteDatabase } from '../../support/faults/contention.ts';
import { connectionLost, failure, onWire } from '../../support/faults/wire.ts';
import { isWhole } from '../../support/run/extent.ts';

let undo = () => {};
afterEach(() => undo());

const soon = () => Date.now() + 20_000;
const create = async (account: string, more: Partial<Contact> = {}, deadline = soon()) =>
  (
    await createRecord(
      contacts,
      account,
      { ...blankContact, email: 'a@example.com', ...more },
      { deadline, origin: byProduct },
    )
  ).body;

const ref = (account: string) => ({ account, type: contacts.type });

/** Notes every call; the look at the queue, which is made now and then, not. */
function noteCalls(): string[] {
  const calls: string[] = [];
  undo = onWire((call, send) => {
    if (call.name !== 'Query') calls.push(call.name);
    return send();
  });
  return calls;
}

describe('alone', () => {
  test('is one transaction, and a read of the length only the first time', async () => {
    const account = givenAccount();
    const calls = noteCalls();
    await create(account);
    expect(calls.splice(0)).toEqual(['GetItem', 'TransactWriteItems']);
    await create(account);
    expect(calls.splice(0)).toEqual(['TransactWriteItems']);
  });

  test('learns from the failed condition that its remembered length is out of date', async () => {
    const account = givenAccount();
    await create(account);
    // Another process would not tell this one: its create goes past the memory of this one.
    const draft = newDraft<Contact>({ ...blankContact, email: 'b@example.com' });
    await commitAt(contacts, account, { count: 1, at: undefined }, [{ draft }]);
    const calls = noteCalls();
    const third = await create(account);
    expect(calls).toEqual(['TransactWriteItems', 'TransactWriteItems']);
    expect((await allContacts(account)).map(({ email }) => email)).toEqual([
      'a@example.com',
      'b@example.com',
      third.email,
    ]);
  });

  test('has one effect when the answer is lost', async () => {
    const account = givenAccount();
    let lost = 0;
    undo = onWire(async (call, send) => {
      const answer = await send();
      if (call.name !== 'TransactWriteItems' || lost++ > 0) return answer;
      throw connectionLost();
    });
    const contact = await create(account, { external_id: 'once' });
    expect(lost).toBe(2);
    expect(await allContacts(account)).toEqual([contact]);
  });

  test('is tried again with the same token while the database is too busy', async () => {
    const account = givenAccount();
    const tokens: unknown[] = [];
    // One more than the SDK tries by itself.
    const busy = 4;
    undo = onWire((call, send) => {
      if (call.name !== 'TransactWriteItems') return send();
      tokens.push(call.input.ClientRequestToken);
      const error = tokens.length % 2 === 0 ? 'ThrottlingException' : 'TransactionInProgressException';
      return tokens.length > busy ? send() : Promise.resolve(failure(error));
    });
    const contact = await create(account);
    undo();
    expect(tokens).toHaveLength(busy + 1);
    expect(new Set(tokens).size).toBe(1);
    expect(await allContacts(account)).toEqual([contact]);
  });

  test('a repeated request does not conflict with itself on its external id, also while its kept answer is written', async () => {
    const account = givenAccount();
    const content = { ...blankContact, external_id: 'mine' };
    const options = { deadline: soon(), origin: byProduct, once: once('createContact', 'key', content) };
    const first = await createRecord(contacts, account, content, options);
    let met = 0;
    undo = onWire((call, send) => {
      if (call.name !== 'TransactWriteItems' || met++ > 0) return send();
      const Item = { id: { S: first.body.id } };
      return Promise.resolve(
        failure('TransactionCanceledException', {
          CancellationReasons: [
            { Code: 'None' },
            { Code: 'None' },
            { Code: 'ConditionalCheckFailed', Item },
            { Code: 'TransactionConflict' },
          ],
        }),
      );
    });
    const second = await createRecord(contacts, account, content, options);
    expect(met).toBe(2);
    expect(second).toEqual({ body: first.body, replayed: true });
  });

  test('does not wait for a read of the queue that never ends', async () => {
    const account = givenAccount();
    undo = onWire((call, send) => (call.name === 'Query' ? new Promise(() => {}) : send()));
    const contact = await create(account);
    undo();
    expect(await allContacts(account)).toEqual([contact]);
  });

  test('sees a queued draft that is never committed, and commits it first', async () => {
    const account = givenAccount();
    const draft = newDraft<Contact>({ ...blankContact, email: 'patient@example.com' });
    const ticket = `${String(Date.now() - 1000).padStart(15, '0')}-x`;
    const deadline = soon();
    await enqueue(ref(account), { ticket, draft, deadline });
    const emails = async () => (await allContacts(account)).map(({ email }) => email);
    const isCommitted = async () => (await emails()).includes('patient@example.com');
    // A create looks at the queue now and then, and gives up a look that takes long. The create that has seen the draft commits it first.
    do await create(account);
    while (!(await isCommitted()) && Date.now() < deadline);
    expect((await emails()).slice(-2)).toEqual(['patient@example.com', 'a@example.com']);
  });
});

describe('many at once', () => {
  test('of ten with the same external id one gets it, and the others get the id of its record', async () => {
    const account = givenAccount();
    undo = simulateRemoteDatabase();
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () => create(account, { external_id: 'same' })),
    );
    undo();
    const [contact, ...none] = await allContacts(account);
    expect(none).toEqual([]);
    const rejected = results.filter((result) => result.status === 'rejected');
    expect(rejected).toHaveLength(9);
    for (const { reason } of rejected)
      expect(reason).toMatchObject({
        message: 'external_id "same" already belongs to another contact',
        detail: {
          scope: 'contacts:read',
          message: `external_id "same" already belongs to the contact ${contact?.id}`,
        },
      });
  });

  test.runIf(isWhole)('drafts near the limit are packed into transactions that DynamoDB takes', async () => {
    const account = givenAccount();
    const bytes: number[] = [];
    const real = simulateRemoteDatabase();
    const unhook = onWire((call, send) => {
      if (call.name === 'TransactWriteItems') bytes.push(JSON.stringify(call.input).length);
      return send();
    });
    undo = () => {
      unhook();
      real();
    };
    const custom_fields = Object.fromEntries(
      Array.from({ length: 50 }, (_, i) => [`f${i}`, 'ß'.repeat(500)]),
    );
    await Promise.all(
      Array.from({ length: 80 }, () => create(account, { custom_fields, note: 'n'.repeat(2000) })),
    );
    undo();
    expect(await allContacts(account)).toHaveLength(80);
    // The records alone. The outcomes of the drafts are as large again.
    expect(Math.max(...bytes)).toBeLessThan(2_000_000);
  });

  test('when no create succeeds all get an error at the deadline, and nothing is left', async () => {
    const account = givenAccount();
    undo = onWire(async (call, send) => {
      if (call.name !== 'TransactWriteItems') return send();
      const count = (call.input.TransactItems as unknown[]).length;
      const CancellationReasons = Array.from({ length: count }, () => ({ Code: 'TransactionConflict' }));
      return failure('TransactionCanceledException', { CancellationReasons });
    });
    const results = await Promise.allSettled([1, 2, 3].map(() => create(account, {}, Date.now() + 600)));
    undo();
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await allContacts(account)).toEqual([]);
    expect(await readQueue(ref(account))).toEqual([]);
  });

  test.runIf(isWhole)('a throttled read of the queue is no reason to fail', async () => {
    const account = givenAccount();
    const real = simulateRemoteDatabase();
    let throttled = 0;
    const unhook = onWire((call, send) => {
      if (call.name !== 'Query' || throttled >= 9) return send();
      throttled += 1;
      return Promise.resolve(failure('ProvisionedThroughputExceededException'));
    });
    undo = () => {
      unhook();
      real();
    };
    const made = await Promise.all(Array.from({ length: 6 }, () => create(account)));
    undo();
    expect(new Set(await allContacts(account))).toEqual(new Set(made));
  });
});

test('the record of a draft is the same for every committer', () => {
  const draft = newDraft<Contact>({ ...blankContact, email: 'a@example.com' });
  const placed = { position: 7, at: '2026-03-01T09:30:00.000Z' };
  expect(recordAt(contacts, draft, placed)).toEqual(recordAt(contacts, structuredClone(draft), placed));
});
