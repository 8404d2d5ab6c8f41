import { inAccount } from '../../../lib/records/recordKeys.ts';
import { type Order, orderDraft, orders } from '../../../lib/resources/orders.ts';
import { stored } from './given.ts';

let count = 0;

/** A valid order as the product's systems send it. */
export const anOrder = (more: object = {}) => ({
  external_id: `order-${++count}`,
  number: `A-${count}`,
  status: 'confirmed',
  payment_status: 'paid',
  fulfillment_status: 'unfulfilled',
  currency: 'EUR',
  subtotal_amount: 2000,
  total_amount: 2000,
  line_items: [
    { name: 'A mug', quantity: 2, unit_amount: 1000, total_amount: 2000, id: '1', type: 'product' },
  ],
  placed_at: '2026-03-01T10:30:00+01:00',
  ...more,
});

export const givenOrders = (account: string, drafts: object[]): Promise<Order[]> =>
  stored(
    inAccount(orders, account),
    drafts.map((draft) => orderDraft().parse(draft)),
  );
