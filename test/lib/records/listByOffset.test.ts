import { afterEach, describe, expect, test } from 'vitest';
import { listRecords } from '../../../lib/records/listByOffset.ts';
import { inAccount } from '../../../lib/records/recordKeys.ts';
import { contacts } from '../../../lib/resources/contacts.ts';
import { aContact, givenAccount, givenContacts } from '../../support/data/given.ts';
import { type Call, onWire, type Send, success } from '../../support/faults/wire.ts';
import { withLog } from '../../support/run/logLines.ts';

let unhook = () => {};
afterEach(() => unhook());

const some = (count: number) => Array.from({ length: count }, () => aContact());
const isHead = ({ name }: Call) => name === 'GetItem';

/** Lets `meanwhile` happen between the page's reads: those that `early` picks go first, the others after. */
function between(early: (call: Call) => boolean, meanwhile: () => Promise<unknown>): void {
  let [held, done] = [false, Promise.resolve()];
  unhook = onWire(async (call, send: Send) => {
    if (held) {
      if (!early(call)) await done;
      return send();
    }
    if (!early(call)) {
      held = true;
      const gate = Promise.withResolvers<void>();
      done = gate.promise;
      setTimeout(async () => {
        await meanwhile();
        gate.resolve();
      }, 50);
      await done;
    }
    return send();
  });
}

describe('a page that is read while others create', () => {
  test('the counter first: records beyond it are cut, so that total and data agree', async () => {
    const account = givenAccount();
    const before = await givenContacts(account, some(3));
    between(isHead, async () => {
      unhook();
      await givenContacts(account, some(4));
    });
    const { data, pagination } = await listRecords(inAccount(contacts, account), { limit: 5, offset: 0 });
    expect(data).toEqual(before);
    expect(pagination.total).toBe(3);
  });

  test('the records first: those that the counter already counts are fetched', async () => {
    const account = givenAccount();
    const before = await givenContacts(account, some(3));
    let after: typeof before = [];
    between(
      (call) => !isHead(call),
      async () => {
        unhook();
        after = await givenContacts(account, some(4));
      },
    );
    const { data, pagination } = await listRecords(inAccount(contacts, account), { limit: 5, offset: 1 });
    expect(data).toEqual([...before, ...after].slice(1, 6));
    expect(pagination.total).toBe(7);
  });

  test('the first of two blocks early, the second late: no hole between them', async () => {
    const account = givenAccount();
    const before = await givenContacts(account, some(95));
    let after: typeof before = [];
    const isFirstBlock = ({ input }: Call) => JSON.stringify(input).includes('000000000090');
    between(isFirstBlock, async () => {
      unhook();
      after = await givenContacts(account, some(15));
    });
    const { data, pagination } = await listRecords(inAccount(contacts, account), { limit: 25, offset: 90 });
    expect(data).toEqual([...before, ...after].slice(90));
    expect(pagination.total).toBe(110);
  });
});

test('a counter that counts missing records is detected: the page is consistent, and the log reports it', async () => {
  const account = givenAccount();
  const there = await givenContacts(account, some(3));
  unhook = onWire(async (call, send) => (isHead(call) ? success({ Item: { count: { N: '5' } } }) : send()));
  const { result, lines } = await withLog(() =>
    listRecords(inAccount(contacts, account), { limit: 25, offset: 1 }),
  );
  expect(result).toEqual({ data: there.slice(1), pagination: { limit: 25, offset: 1, total: 3 } });
  expect(lines).toEqual([
    expect.objectContaining({
      level: 'WARN',
      message: 'a collection counts records that are not there',
      count: 5,
      total: 3,
    }),
  ]);
});

describe('the cost of a page', () => {
  test('is one call for the counter and one for each block, at any offset', async () => {
    const account = givenAccount();
    await givenContacts(account, some(260));
    const calls: string[] = [];
    unhook = onWire((call, send) => {
      calls.push(call.name);
      return send();
    });
    await listRecords(inAccount(contacts, account), { limit: 100, offset: 0 });
    expect(calls.splice(0).sort()).toEqual(['GetItem', 'Query']);
    await listRecords(inAccount(contacts, account), { limit: 100, offset: 150 });
    expect(calls.splice(0).sort()).toEqual(['GetItem', 'Query', 'Query']);
    await listRecords(inAccount(contacts, account), { limit: 25, offset: 225 });
    expect(calls.splice(0).sort()).toEqual(['GetItem', 'Query']);
    await listRecords(inAccount(contacts, account), { limit: 100, offset: 5_000_000_000_000 });
    expect(calls.splice(0)).toEqual(['GetItem']);
  });
});
