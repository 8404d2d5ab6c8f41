import { createHash, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { env } from '../../../lib/env.ts';
import type { ReceivedMessage } from '../../../lib/inbox/retries.ts';
import { ingestBatch } from '../../../lib/inbox/retries.ts';
import { aContact, givenAccount } from '../../support/data/given.ts';
import { aRecord } from '../../support/data/records.ts';
import { allContacts } from '../../support/data/stored.ts';
import { failure, onWire, success } from '../../support/faults/wire.ts';
import { withLog } from '../../support/run/logLines.ts';

const [inbox, retries] = ['http://127.0.0.1/inbox', 'http://127.0.0.1/retries'];

let account: string;
let calls: [name: string, queue: unknown, what: unknown][];
/** What SQS refuses. */
let refused: string | undefined;
let undo: () => void;
beforeEach(() => {
  account = givenAccount();
  calls = [];
  refused = undefined;
  Object.assign(process.env, { [env.recordsInbox]: inbox, [env.recordsRetries]: retries });
  undo = onWire(async ({ name, input }, send) => {
    if (!['SendMessage', 'DeleteMessage', 'ChangeMessageVisibility'].includes(name)) return send();
    const what = input.MessageBody ?? input.VisibilityTimeout ?? input.ReceiptHandle;
    if (String(what) === refused) return failure('InvalidMessageContents');
    calls.push([name, input.QueueUrl, what]);
    const MD5OfMessageBody = createHash('md5').update(String(what)).digest('hex');
    return success({ MessageId: randomUUID(), MD5OfMessageBody });
  });
});
afterEach(() => {
  undo();
  vi.restoreAllMocks();
});

const received = (note: string, receives: number): ReceivedMessage => ({
  id: note,
  body: JSON.stringify({ account, resource: 'contacts', record: aContact({ note }) }),
  receipt: `receipt of ${note}`,
  receives,
});
const said = (more: object) => JSON.stringify({ account, resource: 'contacts', ...more });
const take = (...messages: ReceivedMessage[]) =>
  withLog(() => ingestBatch(messages, Number.POSITIVE_INFINITY)).then(({ result }) => result);
const notes = async () => (await allContacts(account)).map(({ note }) => note);

test('messages that are received again go to the retries, and only the others are stored', async () => {
  const again = [received('second', 2), received('fifth', 5)];
  expect(await take(received('new', 1), ...again)).toEqual([]);
  expect(await notes()).toEqual(['new']);
  expect(calls.sort()).toEqual(
    again
      .flatMap(({ body, receipt }) => [
        ['DeleteMessage', inbox, receipt],
        ['SendMessage', retries, body],
      ])
      .sort(),
  );
});

test('a message that is received again alone is stored', async () => {
  expect(await take(received('again', 3))).toEqual([]);
  expect(await notes()).toEqual(['again']);
  expect(calls).toEqual([]);
});

test('a message that the queue of retries does not take stays in the inbox, and is received again', async () => {
  const [stays, goes] = [received('stays', 2), received('goes', 2)];
  refused = stays.body;
  expect(await take(stays, received('new', 1), goes)).toEqual([stays.id]);
  expect(await notes()).toEqual(['new']);
  expect(calls.map(([, , what]) => what)).toEqual([goes.body, goes.receipt]);
});

test('a message that was sent and could not be deleted is received again: twice is better than never', async () => {
  const again = received('again', 2);
  refused = again.receipt;
  expect(await take(again, received('new', 1))).toEqual([again.id]);
  expect(calls).toEqual([['SendMessage', retries, again.body]]);
});

test.each([
  ['the inbox', 1, false, inbox, 3],
  ['the retries', 1, true, retries, 3],
  ['the retries', 3, true, retries, 20],
])(
  'a merge into a record that is not there yet comes again from %s in seconds: receive %i',
  async (...given) => {
    const [, receives, isRetry, queue, seconds] = given;
    await take({ ...received('merged', 1), body: said({ record: { source_id: 'a', revision: 1 } }) });
    const deleted = { source_id: 'a', revision: 2, merged_into: { source_id: 'later' } };
    const message = { ...received('merge', receives), isRetry, body: said({ deleted }) };
    expect(await take(message)).toEqual(['merge']);
    expect(calls).toEqual([['ChangeMessageVisibility', queue, seconds]]);
    refused = String(seconds);
    expect(await take(message)).toEqual(['merge']);
  },
);

test.each([
  ['the inbox', false, inbox],
  ['the retries', true, retries],
])(
  'a row that many records name goes from %s to the end of the retries after each turn, and becomes no dead letter',
  async (...given) => {
    const [, isRetry, queue] = given;
    const names = { contact_id: undefined, contact_source_id: 'row' };
    const naming = Array.from({ length: 30 }, (_, i) => ({
      ...received(`naming ${i}`, 1),
      body: said({ resource: 'orders', record: aRecord('order', names) }),
    }));
    expect(await take(...naming)).toEqual([]);
    const row = { ...received('row', 4), isRetry, body: said({ record: { source_id: 'row', revision: 1 } }) };
    let clock = 0;
    const now = Date.now;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + clock);
    const end = onWire(({ name }, send) => {
      if (name === 'UpdateItem') clock += 200;
      return send();
    });
    expect(await take(row)).toEqual([]);
    expect(calls).toEqual([
      ['SendMessage', retries, row.body],
      ['DeleteMessage', queue, row.receipt],
    ]);
    expect(await take(row)).toEqual([]);
    end();
    expect(calls).toHaveLength(2);
  },
);

test('an account whose messages take long does not hold up those of another in its batch', async () => {
  const [own, slow] = [account, givenAccount()];
  const end = onWire(({ input }, send) =>
    JSON.stringify(input).includes(slow) ? new Promise<never>(() => {}) : send(),
  );
  const held = { ...received('held', 1), body: received('held', 1).body.replaceAll(own, slow) };
  expect(await take(held, received('quick', 1))).toEqual(['held']);
  end();
  expect(await notes()).toEqual(['quick']);
  expect(calls).toEqual([['ChangeMessageVisibility', inbox, 3]]);
});
