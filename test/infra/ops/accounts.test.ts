import { describe, expect, test } from 'vitest';
import { operations } from '../../../lib/contract/index.ts';
import { suspendedMessage } from '../../../lib/errors/apiError.ts';
import { listOrders } from '../../../lib/resources/orders.ts';
import { givenAccount, givenKey } from '../../support/data/given.ts';
import { call } from '../../support/http/api.ts';
import { validRequests } from '../../support/http/requests.ts';
import { run } from '../../support/stack/commands.ts';

const accounts = (...args: string[]) => run('accounts', args);
const json = async (...args: string[]) => JSON.parse((await accounts(...args, '--json')).stdout);

const suspended = { error: 'Forbidden', message: suspendedMessage };
const statusFor = async (key: string) => (await call(listOrders, { key })).status;

describe('suspend and resume', () => {
  test('every key of the account is answered 403 from the next request on, and as before after it is resumed', async () => {
    const account = givenAccount();
    const [full, scoped] = [await givenKey(account), await givenKey(account, ['orders:read'])];
    // The gateway knows them, and what they may do.
    expect([await statusFor(full.text), await statusFor(scoped.text)]).toEqual([200, 200]);
    const made = await json('suspend', '--account', account);
    expect(made).toEqual({
      account,
      suspended_at: expect.stringMatching(/Z$/),
      cache_flushed: true,
    });
    const later = await givenKey(account);
    for (const { text: key } of [full, scoped, later]) {
      const { status, body } = await call(listOrders, { key });
      expect([status, body]).toEqual([403, suspended]);
    }
    expect(await json('resume', '--account', account)).toMatchObject({ suspended_at: null });
    expect([await statusFor(full.text), await statusFor(scoped.text)]).toEqual([200, 200]);
  });

  test('for every operation, and for no other account', async () => {
    const [account, another] = [givenAccount(), givenAccount()];
    const { text: key } = await givenKey(account);
    const { text: anothers } = await givenKey(another);
    await accounts('suspend', '--account', account);
    for (const operation of operations) {
      const { status, body } = await call(operation, {
        key,
        ...(await validRequests[operation.id](account)),
      });
      expect([operation.id, status, body]).toEqual([operation.id, 403, suspended]);
    }
    expect(await statusFor(anothers)).toBe(200);
  });
});
