import { documentOf } from './documentOf.ts';
import type { Notes } from './notes.ts';
import { getOrder, listOrders, type Order, order, orderOperations, orders } from './orders.ts';
import { minorUnits, serverNotes } from './sharedNotes.ts';

const customerNotes: Notes<Order['customer']> = {
  email: ['The e-mail address, as the buyer has typed it.', 'ada@example.com'],
  first_name: ['The first name that was given.', 'Ada'],
  last_name: ['The last name that was given.', 'Lovelace'],
  phone: ['The phone number, as the buyer has typed it.', '030 123456'],
};

const lineItemNotes: Notes<Order['line_items'][number]> = {
  id: ['The id of the line, unique within its order.', '1'],
  type: ['The kind of the product or service.', 'product'],
  sku: ['The stock-keeping unit.', 'MUG-BLUE'],
  name: ['The name of the product or service, as the buyer saw it.', 'Enamel mug'],
  variant_name: ['The name of the variant.', 'Blue'],
  quantity: ['The number of units. 0 for a line that was taken out of the order.', 2],
  unit_amount: ['The price of one unit, before discounts. It is negative for what is given back.', 2100],
  discount_amount: ['The discount on this line.', 0],
  tax_amount: ['The tax of this line, included or added.', 671],
  total_amount: ['The total of this line.', 4200],
};

const orderNotes: Notes<Order> = {
  id: ['The id of the order in this API. It never changes.', 'ord_4kq2v8m6t1z9c3x7b5n0hjwr'],
  external_id: ['The id of the order in the system that it comes from.', 'shop-20451'],
  number: ['The number of the order for people.', 'A-20451'],
  contact_id: ['The contact who bought, if known.', 'con_9x7aej2svz025b0x7prpcchs'],
  customer: ['The buyer at the time of the order; later changes of the contact do not change it.'],
  status: ['The status of the order.', 'confirmed'],
  payment_status: ['The status of the payment.', 'paid'],
  fulfillment_status: ['How much of the order has been delivered.', 'unfulfilled'],
  currency: [`The currency of all amounts, as a code of ISO 4217. ${minorUnits}`, 'EUR'],
  subtotal_amount: ['The sum of the lines, in the currency’s minor unit: 4200 is EUR 42.00.', 4200],
  discount_amount: ['The discount on the whole order.', 200],
  shipping_amount: ['The cost of shipping.', 490],
  fee_amount: ['The sum of the fees. It is negative for a fee that is given back.', 0],
  rounding_amount: ['What the total is rounded by, as for cash: -2 makes 19.95 of 19.97.', 0],
  tax_amount: ['The tax of the order, included or added.', 717],
  total_amount: ['Subtotal - discount + shipping + fee + rounding, and + tax unless tax_included.', 4490],
  paid_amount: ['The amount that has been paid.', 4490],
  refunded_amount: ['The amount that has been refunded.', 0],
  tax_included: ['Whether the other amounts include the tax.', true],
  line_items: ['The lines of the order, at most 500. An order that is only a fee has none.'],
  billing_address: ['The address for the invoice.'],
  shipping_address: ['The address for the goods.'],
  note: ['A note, which may have several lines.', 'Please leave it with the neighbours'],
  custom_fields: ['Fields that the app behind this API defines.'],
  placed_at: ['When the order was placed.', '2026-03-01T09:29:58.000Z'],
  paid_at: ['When the order was paid in full.', '2026-03-01T09:30:00.000Z'],
  cancelled_at: ['When the order was cancelled.', null],
  ...serverNotes('order'),
};

export const orderDocument = documentOf(orders, order, [listOrders, getOrder, orderOperations], {
  name: 'Order',
  description: 'An order, with its lines and its status.',
  one: 'an order',
  short: 'an order',
  many: 'orders',
  notes: orderNotes,
  parts: {
    customer: ['Customer', 'The buyer of an order.', customerNotes],
    line_items: ['LineItem', 'A line of an order.', lineItemNotes],
  },
  about: 'They come from the app behind this API, and you can read them.',
  mistaken: { status: 'paid;pending', contact_id: 'crm-1001' },
  operations: {},
  events: {
    'order.updated': {
      what: 'An order was changed in a way that has no type of its own',
      change: { before: { fulfillment_status: 'unfulfilled' }, after: { fulfillment_status: 'fulfilled' } },
    },
    'order.paid': {
      what: 'The payment_status of an order became paid',
      change: {
        before: { payment_status: 'unpaid', paid_amount: 0, paid_at: null },
        after: { payment_status: 'paid', paid_amount: 4490, paid_at: '2026-03-02T08:00:00.000Z' },
      },
    },
    'order.cancelled': {
      what: 'The status of an order became cancelled',
      change: {
        before: { status: 'confirmed', cancelled_at: null },
        after: { status: 'cancelled', cancelled_at: '2026-03-02T08:00:00.000Z' },
      },
    },
    'order.refunded': {
      what: 'The refunded_amount of an order grew, or its payment_status became refunded or partially_refunded',
      change: {
        before: { payment_status: 'paid', refunded_amount: 0 },
        after: { payment_status: 'refunded', refunded_amount: 4490 },
      },
    },
  },
});
