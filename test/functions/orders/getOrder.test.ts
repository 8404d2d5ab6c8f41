import { beforeAll, describe, expect, test } from 'vitest';
import { getOrder, type Order } from '../../../lib/resources/orders.ts';
import { givenAccount, givenKey } from '../../support/data/given.ts';
import { anOrder, givenOrders } from '../../support/data/orders.ts';
import { call } from '../../support/http/api.ts';

let key: string;
let order: Order;
beforeAll(async () => {
  const account = givenAccount();
  ({ text: key } = await givenKey(account, ['orders:read']));
  [order] = (await givenOrders(account, [
    anOrder({
      number: 'A-1',
      billing_address: { city: 'Berlin', country: 'DE' },
      customer: { last_name: 'Lovelace' },
    }),
  ])) as [Order];
});

const get = (orderId: string, as = key) => call(getOrder, { key: as, params: { orderId } });

describe('200', () => {
  test('the whole order: times in UTC, money in minor units, with every field', async () => {
    const { status, body } = await get(order.id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      number: 'A-1',
      contact_id: null,
      customer: { email: null, first_name: null, last_name: 'Lovelace', phone: null },
      currency: 'EUR',
      total_amount: 2000,
      tax_included: false,
      line_items: [{ id: '1', type: 'product', sku: null, discount_amount: 0, total_amount: 2000 }],
      billing_address: { line1: null, city: 'Berlin', country: 'DE' },
      shipping_address: null,
      placed_at: '2026-03-01T09:30:00.000Z',
      paid_at: null,
      version: 1,
    });
  });
});
