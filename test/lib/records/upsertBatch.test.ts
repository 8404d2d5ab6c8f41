import { afterEach, beforeEach, expect, test } from 'vitest';
import { batchResults } from '../../../lib/http/writeHandlers.ts';
import { inAccount } from '../../../lib/records/recordKeys.ts';
import { byKey } from '../../../lib/records/recordOrigin.ts';
import { upsertBatch } from '../../../lib/records/upsert/upsert.ts';
import { contacts } from '../../../lib/resources/contacts.ts';
import { givenAccount } from '../../support/data/given.ts';
import { allContacts } from '../../support/data/stored.ts';
import { onWire } from '../../support/faults/wire.ts';

let account: string;
beforeEach(() => {
  account = givenAccount();
});
let unhook = () => {};
afterEach(() => unhook());

const entries = Array.from({ length: 100 }, (_, i) => ({ ...contacts.blank, external_id: `n${i}` }));
const send = async (deadline: number) =>
  batchResults(
    'contact',
    await upsertBatch(inAccount(contacts, account), entries, { deadline, origin: byKey('key_1') }),
    { kind: 'full' },
  ).results;

const late = {
  status: 504,
  error: 'Gateway Timeout',
  message: 'The request timed out before this contact was confirmed as stored; send it again',
};

test('without time, nothing is stored, and each entry is answered with 504', async () => {
  expect(await send(Date.now() - 1)).toEqual(entries.map(() => late));
  expect(await allContacts(account)).toEqual([]);
});

test('when time runs out after the first transaction, its contacts are acknowledged, and the others are 504 and not there', async () => {
  let deadline = Number.POSITIVE_INFINITY;
  const past = Date.now() - 1;
  unhook = onWire(async (call, sendOn) => {
    const answer = await sendOn();
    if (call.name === 'TransactWriteItems') deadline = past;
    return answer;
  });
  // A deadline that is asked for each time: it passes at a moment that the test chooses.
  const moving = { valueOf: () => deadline } as unknown as number;
  const results = await send(moving);
  unhook();
  const stored = await allContacts(account);
  expect(stored).toHaveLength(49);
  expect(results).toEqual(
    entries.map((_, i) => (i < 49 ? { status: 201, id: stored[i]?.id, version: 1 } : late)),
  );
  const again = await send(Number.POSITIVE_INFINITY);
  expect(again.map(({ status }) => status)).toEqual(entries.map((_, i) => (i < 49 ? 200 : 201)));
});
