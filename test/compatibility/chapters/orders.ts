import { address, customFields, person } from '../content.ts';
import type { Known } from './chapters.ts';

/** @param more fields that differ from the new order */
const orderStated = (updated_at: string, more: object = {}) => ({
  external_id: 'ORDER-1',
  number: 'A-1',
  customer: person,
  status: 'pending',
  payment_status: 'unpaid',
  fulfillment_status: 'unfulfilled',
  currency: 'EUR',
  subtotal_amount: 2000,
  discount_amount: 100,
  shipping_amount: 500,
  fee_amount: 10,
  rounding_amount: -2,
  tax_amount: 300,
  total_amount: 2408,
  tax_included: true,
  line_items: [
    {
      id: 'ITEM 1',
      type: 'product',
      sku: 'MUG-1',
      name: 'A mug',
      variant_name: 'Blue, large',
      quantity: 2,
      unit_amount: 1000,
      discount_amount: 100,
      tax_amount: 300,
      total_amount: 1900,
    },
  ],
  billing_address: address,
  shipping_address: address,
  note: 'A note',
  custom_fields: customFields,
  placed_at: '2026-03-01T08:00:00Z',
  updated_at,
  ...more,
});

export function ordersChange({ contact_id }: Known): object[] {
  const paid = { payment_status: 'paid', paid_amount: 2408, paid_at: '2026-03-08T08:02:00Z' };
  const refunded = { ...paid, payment_status: 'refunded', refunded_amount: 2408 };
  const cancelled = { ...refunded, status: 'cancelled', cancelled_at: '2026-03-08T08:04:00Z' };
  return [
    orderStated('2026-03-08T08:00:00Z'),
    orderStated('2026-03-08T08:01:00Z', { contact_id }),
    orderStated('2026-03-08T08:02:00Z', { contact_id, ...paid }),
    orderStated('2026-03-08T08:03:00Z', { contact_id, ...refunded }),
    orderStated('2026-03-08T08:04:00Z', { contact_id, ...cancelled }),
  ];
}
