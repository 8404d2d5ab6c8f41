import { blankAddress } from '../../values/addresses.ts';
import type { Collection, Transitions } from '../collection.ts';
import { blankCustomer, blankOrder, type Order } from './fields.ts';

export const orders: Collection<Order, 'order'> = {
  type: 'order',
  prefix: 'ord',
  readScope: 'orders:read',
  layout: {
    id: null,
    external_id: null,
    number: null,
    contact_id: null,
    customer: blankCustomer,
    status: null,
    payment_status: null,
    fulfillment_status: null,
    currency: null,
    subtotal_amount: null,
    discount_amount: null,
    shipping_amount: null,
    fee_amount: null,
    rounding_amount: null,
    tax_amount: null,
    total_amount: null,
    paid_amount: null,
    refunded_amount: null,
    tax_included: null,
    line_items: [
      {
        id: null,
        type: null,
        sku: null,
        name: null,
        variant_name: null,
        quantity: null,
        unit_amount: null,
        discount_amount: null,
        tax_amount: null,
        total_amount: null,
      },
    ],
    billing_address: blankAddress,
    shipping_address: blankAddress,
    note: null,
    custom_fields: 'by name',
    placed_at: null,
    paid_at: null,
    cancelled_at: null,
    version: null,
    created_at: null,
    updated_at: null,
  },
  blank: blankOrder,
  // An order may have 500 lines. The event of a change holds it before and after, and an item of DynamoDB has 400 KB. A page of very
  // large orders may not fit into an answer: then the list says how many do.
  bytesMax: 190_000,
  filters: {
    values: [
      { name: 'number', valuesOf: ({ number }) => [number], isSelective: true },
      { name: 'contact_id', valuesOf: ({ contact_id }) => [contact_id], isSelective: true },
      { name: 'status', valuesOf: ({ status }) => [status], isEnumeration: true },
      { name: 'payment_status', valuesOf: ({ payment_status }) => [payment_status], isEnumeration: true },
      {
        name: 'fulfillment_status',
        valuesOf: ({ fulfillment_status }) => [fulfillment_status],
        isEnumeration: true,
      },
    ],
    times: [{ name: 'placed', timeOf: ({ placed_at }) => placed_at }],
  },
};

export const orderTransitions = [
  ['order.cancelled', 'status', ['cancelled']],
  ['order.refunded', 'refunded_amount', 'more'],
  ['order.refunded', 'payment_status', ['refunded', 'partially_refunded']],
  ['order.paid', 'payment_status', ['paid']],
] as const satisfies Transitions<Order, 'order'>;
