// An order, which your app sends. Its reference text is in orders.reference.ts.
import type { RecordOf, ValuesOf } from './field.ts';
import { draftOf, recordOf, snapshot } from './fieldSchemas.ts';
import { queryOf } from './listQuery.ts';
import { operation } from './operation.ts';
import { resource, when } from './resource.ts';

const required = true;

export const orders = /* @__PURE__ */ resource({
  type: 'order',
  prefix: 'ord',
  // An order may have 500 lines. The event of a change contains the order before and after it, and a DynamoDB item can have 400 KB. A page of
  // very large orders may not fit into a response. The list then reports how many fit.
  bytesMax: 190_000,
  fields: {
    external_id: { is: 'externalId' },
    number: { is: 'id', required, filter: 'exact' },
    contact_id: { is: 'ref', to: 'con', filter: 'exact' },
    // The buyer at the time of the order, as the buyer typed it.
    customer: {
      is: 'group',
      of: {
        email: { is: 'email', filter: 'exact', as: 'email' },
        first_name: { is: 'line' },
        last_name: { is: 'line' },
        phone: { is: 'phone' },
      },
    },
    status: { is: 'enum', of: ['pending', 'confirmed', 'completed', 'cancelled'], required, filter: 'any' },
    payment_status: {
      is: 'enum',
      of: [
        'not_required',
        'unpaid',
        'authorized',
        'partially_paid',
        'paid',
        'partially_refunded',
        'refunded',
        'voided',
      ],
      required,
      filter: 'any',
    },
    fulfillment_status: {
      is: 'enum',
      of: ['not_required', 'unfulfilled', 'partially_fulfilled', 'fulfilled'],
      required,
      filter: 'any',
    },
    currency: { is: 'currency', required },
    subtotal_amount: { is: 'signed', required },
    discount_amount: { is: 'signed' },
    shipping_amount: { is: 'signed' },
    fee_amount: { is: 'signed' },
    rounding_amount: { is: 'signed' }, // -2 for 19.97 that is paid in cash as 19.95
    tax_amount: { is: 'signed' },
    total_amount: { is: 'signed', required },
    paid_amount: { is: 'signed' },
    refunded_amount: { is: 'amount' },
    tax_included: { is: 'flag' },
    // An order without lines is only a fee, for example for a cancellation.
    line_items: {
      is: 'list',
      max: 500,
      unique: 'id',
      of: {
        id: { is: 'id', required },
        type: { is: 'enum', of: ['product', 'ticket', 'shipping', 'fee', 'donation', 'other'], required },
        sku: { is: 'line' },
        name: { is: 'line', required },
        variant_name: { is: 'line' },
        quantity: { is: 'quantity', required }, // 0 for a line that was taken out of the order
        unit_amount: { is: 'signed', required },
        discount_amount: { is: 'signed' },
        tax_amount: { is: 'signed' },
        total_amount: { is: 'signed', required },
      },
    },
    billing_address: { is: 'address' },
    shipping_address: { is: 'address' },
    note: { is: 'lines' },
    custom_fields: { is: 'custom' },
    placed_at: { is: 'time', required, filter: 'range' },
    paid_at: { is: 'time' },
    cancelled_at: { is: 'time' },
  },
});

export type Order = RecordOf<typeof orders.fields>;

export const orderTransitions = [
  /* @__PURE__ */ when(orders, 'status', ['cancelled'], 'order.cancelled'),
  /* @__PURE__ */ when(orders, 'refunded_amount', 'more', 'order.refunded'),
  /* @__PURE__ */ when(orders, 'payment_status', ['refunded', 'partially_refunded'], 'order.refunded'),
  /* @__PURE__ */ when(orders, 'payment_status', ['paid'], 'order.paid'),
] as const;

type Sums = ValuesOf<typeof orders.fields>;

const sumOf = (o: Sums): number =>
  o.subtotal_amount -
  o.discount_amount +
  o.shipping_amount +
  o.fee_amount +
  o.rounding_amount +
  (o.tax_included ? 0 : o.tax_amount);

const addsUp = {
  field: 'total_amount',
  rule: 'must be subtotal_amount - discount_amount + shipping_amount + fee_amount + rounding_amount, plus tax_amount unless tax_included',
  holds: (o: Sums) => o.total_amount === sumOf(o),
  hint: (o: Sums) => `it is ${o.total_amount}, and the sum is ${sumOf(o)}`,
} as const;

export const order = /* @__PURE__ */ recordOf(orders, snapshot);
export const orderDraft = /* @__PURE__ */ draftOf(orders, snapshot, addsUp);
const orderQuery = /* @__PURE__ */ queryOf(orders);

export const listOrders = /* @__PURE__ */ operation({
  id: 'listOrders',
  method: 'GET',
  path: '/orders',
  scope: 'orders:read',
  summary: 'List orders',
  query: orderQuery,
  success: { status: 200, headers: ['Link'] },
});

export const getOrder = /* @__PURE__ */ operation({
  id: 'getOrder',
  method: 'GET',
  path: '/orders/{orderId}',
  scope: 'orders:read',
  summary: 'Retrieve an order',
  requestHeaders: ['If-None-Match'],
  success: { status: 200, headers: ['ETag'] },
});

export const orderOperations = [listOrders, getOrder] as const;
