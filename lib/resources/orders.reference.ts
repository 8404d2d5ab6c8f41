import { documentOf } from './documentOf.ts';
import type { Notes } from './notes.ts';
import { getOrder, listOrders, type Order, order, orderOperations, orders } from './orders.ts';
import { minorUnits, serverNotes } from './sharedNotes.ts';

const customerNotes: Notes<Order['customer']> = {
  email: ['The e-mail address as the buyer typed it.', 'ada@example.com'],
  first_name: ['The first name of the buyer.', 'Ada'],
  last_name: ['The last name of the buyer.', 'Lovelace'],
  phone: ['The phone number as the buyer typed it.', '030 123456'],
};

const lineItemNotes: Notes<Order['line_items'][number]> = {
  id: ['The id of the line. It is unique within the order.', '1'],
  type: ['What kind of product or service this is.', 'product'],
  sku: ['The stock-keeping unit (SKU).', 'MUG-BLUE'],
  name: ['The name of the product or service as the buyer saw it.', 'Enamel mug'],
  variant_name: ['The name of the variant that was bought.', 'Blue'],
  quantity: ['The number of units. 0 if the line was removed from the order.', 2],
  unit_amount: ['The price of one unit before discounts. Negative for a refund.', 2100],
  discount_amount: ['The discount on this line.', 0],
  tax_amount: ['The tax on this line, whether included or added.', 671],
  total_amount: ['The total amount of this line.', 4200],
};

const orderNotes: Notes<Order> = {
  id: ['The id of the order in this API. It never changes.', 'ord_4kq2v8m6t1z9c3x7b5n0hjwr'],
  external_id: ['The id of the order in the app that it comes from.', 'shop-20451'],
  number: ['The order number that people see.', 'A-20451'],
  contact_id: ['The id of the buyer’s contact, if known.', 'con_9x7aej2svz025b0x7prpcchs'],
  customer: ['The buyer at the time of the order. It does not follow later changes to the contact.'],
  status: ['The status of the order.', 'confirmed'],
  payment_status: ['The status of the payment.', 'paid'],
  fulfillment_status: ['How much of the order has been fulfilled.', 'unfulfilled'],
  currency: [`The ISO 4217 code of the currency of all amounts. ${minorUnits}`, 'EUR'],
  subtotal_amount: ['The sum of the lines in the currency’s minor unit: 4200 is EUR 42.00.', 4200],
  discount_amount: ['The discount on the whole order.', 200],
  shipping_amount: ['The cost of shipping.', 490],
  fee_amount: ['The sum of the fees. Negative if fees were refunded.', 0],
  rounding_amount: ['The rounding of the total, for example for cash: -2 turns 19.97 into 19.95.', 0],
  tax_amount: ['The tax on the order, whether included or added.', 717],
  total_amount: ['Subtotal - discount + shipping + fee + rounding, plus tax unless tax_included.', 4490],
  paid_amount: ['The amount that has been paid.', 4490],
  refunded_amount: ['The amount that has been refunded.', 0],
  tax_included: ['Whether the other amounts already include the tax.', true],
  line_items: ['The lines of the order, up to 500. An order that consists only of a fee has none.'],
  billing_address: ['The billing address.'],
  shipping_address: ['The shipping address.'],
  note: ['A note in plain text. It can have several lines.', 'Please leave it with the neighbours'],
  custom_fields: ['Fields that the app behind this API defines. Their values can be any JSON.'],
  placed_at: ['When the order was placed.', '2026-03-01T09:29:58.000Z'],
  paid_at: ['When the order was paid in full.', '2026-03-01T09:30:00.000Z'],
  cancelled_at: ['When the order was cancelled.', null],
  ...serverNotes('order'),
};

export const orderDocument = documentOf(orders, order, [listOrders, getOrder, orderOperations], {
  name: 'Order',
  description: 'An order with its lines, amounts and status.',
  one: 'an order',
  short: 'an order',
  many: 'orders',
  notes: orderNotes,
  parts: {
    customer: ['Customer', 'The buyer of an order.', customerNotes],
    line_items: ['LineItem', 'A line of an order.', lineItemNotes],
  },
  about: 'The app behind this API writes them, and you can read them.',
  mistaken: { status: 'paid;pending', contact_id: 'crm-1001' },
  operations: {},
  events: {
    'order.updated': {
      what: 'An order changed in a way that has no event type of its own',
      change: { before: { fulfillment_status: 'unfulfilled' }, after: { fulfillment_status: 'fulfilled' } },
    },
    'order.paid': {
      what: 'The payment_status of an order changed to paid',
      change: {
        before: { payment_status: 'unpaid', paid_amount: 0, paid_at: null },
        after: { payment_status: 'paid', paid_amount: 4490, paid_at: '2026-03-02T08:00:00.000Z' },
      },
    },
    'order.cancelled': {
      what: 'An order was cancelled',
      change: {
        before: { status: 'confirmed', cancelled_at: null },
        after: { status: 'cancelled', cancelled_at: '2026-03-02T08:00:00.000Z' },
      },
    },
    'order.refunded': {
      what: 'The refunded_amount of an order increased, or its payment_status changed to refunded or partially_refunded',
      change: {
        before: { payment_status: 'paid', refunded_amount: 0 },
        after: { payment_status: 'refunded', refunded_amount: 4490 },
      },
    },
  },
});
