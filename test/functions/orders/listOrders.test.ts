import { describe, expect, test } from 'vitest';
import { listOrders } from '../../../lib/resources/orders.ts';
import { anOrder, givenAccount, givenKey, givenOrders } from '../../support/data/given.ts';
import { call } from '../../support/http/api.ts';

describe('200', () => {
  test('orders of the account in the order of their creation, and no others', async () => {
    const [account, other] = [givenAccount(), givenAccount()];
    const { text: key } = await givenKey(account, ['orders:read']);
    const orders = await givenOrders(account, [anOrder(), anOrder(), anOrder()]);
    await givenOrders(other, [anOrder()]);
    const { status, body } = await call(listOrders, { key, query: { limit: 2, offset: 1 } });
    expect(status).toBe(200);
    expect(body).toEqual({
      data: orders.slice(1),
      pagination: { limit: 2, offset: 1, total: 3, next_updated_since: null },
    });
  });
});
