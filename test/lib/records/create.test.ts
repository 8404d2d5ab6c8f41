import { afterEach, describe, expect, test } from 'vitest';
import { once } from '../../../lib/dynamodb/idempotency.ts';
import { createRecord } from '../../../lib/records/commitQueue/create.ts';
import { inAccount } from '../../../lib/records/recordKeys.ts';
import { byKey, byProduct } from '../../../lib/records/recordOrigin.ts';
import { type Contact, contacts } from '../../../lib/resources/contacts.ts';
import { givenAccount } from '../../support/data/given.ts';
import { failure, onWire } from '../../support/faults/wire.ts';

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

  test('a repeated request does not conflict with itself on its external id, also while its kept answer is written', async () => {
    const account = givenAccount();
    const content = { ...contacts.blank, external_id: 'mine' };
    const options = { deadline: soon(), origin: byKey('key_1'), once: once('createContact', 'key', content) };
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
