import { afterEach, describe, expect, test } from 'vitest';
import { once } from '../../../lib/dynamodb/idempotency.ts';
import { commitAt } from '../../../lib/records/create/commit.ts';
import { createRecord } from '../../../lib/records/create/create.ts';
import { newDraft, recordAt } from '../../../lib/records/create/draft.ts';
import { inAccount } from '../../../lib/records/keys.ts';
import { byProduct } from '../../../lib/records/origin.ts';
import { type Contact, contacts } from '../../../lib/resources/contacts.ts';
import { givenAccount } from '../../support/data/given.ts';
import { allContacts } from '../../support/data/stored.ts';
import { connectionLost, failure, onWire } from '../../support/faults/wire.ts';

let undo = () => {};
afterEach(() => undo());

const soon = () => Date.now() + 20_000;
const create = async (account: string, more: Partial<Contact> = {}, deadline = soon()) =>
  (
    await createRecord(
      inAccount(contacts, account),
      { ...contacts.blank, email: 'a@example.com', ...more },
      { deadline, origin: byProduct },
    )
  ).body;

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
    const draft = newDraft<Contact>({ ...contacts.blank, email: 'b@example.com' });
    await commitAt(inAccount(contacts, account), { count: 1, at: undefined }, [{ draft }]);
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

  test('a repeated request does not conflict with itself on its external id, also while its kept answer is written', async () => {
    const account = givenAccount();
    const content = { ...contacts.blank, external_id: 'mine' };
    const options = { deadline: soon(), origin: byProduct, once: once('createContact', 'key', content) };
    const first = await createRecord(inAccount(contacts, account), content, options);
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
    const second = await createRecord(inAccount(contacts, account), content, options);
    expect(met).toBe(2);
    expect(second).toEqual({ body: first.body, replayed: true });
  });
});

test('the record of a draft is the same for every committer', () => {
  const draft = newDraft<Contact>({ ...contacts.blank, email: 'a@example.com' });
  const placed = { position: 7, at: '2026-03-01T09:30:00.000Z' };
  expect(recordAt(contacts, draft, placed)).toEqual(recordAt(contacts, structuredClone(draft), placed));
});
