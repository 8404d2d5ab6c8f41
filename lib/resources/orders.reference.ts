import { output } from './component.ts';
import { listNotes } from './listNotes.ts';
import type { Notes } from './notes.ts';
import { getOrder, listOrders, type Order, order, orderOperations } from './orders.ts';
import {
  anyOf,
  beforeNote,
  cancelledAt,
  end,
  externalIdNote,
  filtered,
  inOrder,
  ofContact,
  plus,
  recordList,
  sinceNote,
  start,
} from './queryNotes.ts';
import type { QueryNotes, Reference } from './reference.ts';
import { minorUnits, serverNotes } from './sharedNotes.ts';

export const customerNotes: Notes<Order['customer']> = {
  email: ['The e-mail address, as the buyer has typed it.', 'ada@example.com'],
  first_name: ['The first name that was given.', 'Ada'],
  last_name: ['The last name that was given.', 'Lovelace'],
  phone: ['The phone number, as the buyer has typed it.', '030 123456'],
};

export const lineItemNotes: Notes<Order['line_items'][number]> = {
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

export const orderNotes: Notes<Order> = {
  id: ['The id of the order in this API. It never changes.', 'ord_4kq2v8m6t1z9c3x7b5n0hjwr'],
  external_id: ['The id of the order in the system that it comes from.', 'shop-20451'],
  number: ['The number of the order for people.', 'A-20451'],
  contact_id: ['The contact who is the buyer, if known.', 'con_9x7aej2svz025b0x7prpcchs'],
  customer: [
    'The data of the buyer at the time of the order. Later changes of the contact do not change it.',
  ],
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
  total_amount: [
    'The total of the order: subtotal - discount + shipping + fee + rounding, and + tax if tax_included is false.',
    4490,
  ],
  paid_amount: ['The amount that has been paid.', 4490],
  refunded_amount: ['The amount that has been refunded.', 0],
  tax_included: ['Whether the other amounts include the tax.', true],
  line_items: ['The lines of the order, at most 500. An order that is only a fee has none.'],
  billing_address: ['The address for the invoice.'],
  shipping_address: ['The address for the goods.'],
  note: [
    'A note of the buyer or the seller. It may have several lines.',
    'Please leave it with the neighbours',
  ],
  custom_fields: ['Fields that the product’s systems define.'],
  placed_at: ['When the order was placed.', '2026-03-01T09:29:58.000Z'],
  paid_at: ['When the order was paid in full.', '2026-03-01T09:30:00.000Z'],
  cancelled_at: ['When the order was cancelled.', null],
  ...serverNotes('order'),
};

export const orderReference = {
  tags: {
    Orders: 'The orders of an account. They come from the product’s own systems; you can read them.',
  },
  operations: {
    listOrders: {
      tag: 'Orders',
      description: `The orders of the account, in the sequence in which this API stored them first, or in reverse. ${inOrder} ${filtered}`,
      success: 'The requested page.',
    },
    getOrder: {
      tag: 'Orders',
      description: 'The current order. With `If-None-Match`, the answer has it only if it has changed.',
      success: 'The order.',
    },
  },
  queries: {
    listOrders: {
      ...recordList(orderNotes.id[1]),
      external_id: externalIdNote,
      number: ['Only orders with this number.', orderNotes.number[1]],
      email: [
        `Only orders of a buyer with this e-mail address, in any letter case, those of guests too. ${plus}`,
        'ada@example.com',
      ],
      contact_id: ofContact,
      status: [anyOf, ['pending', 'confirmed']],
      payment_status: [anyOf, ['paid', 'partially_refunded']],
      fulfillment_status: [anyOf, ['unfulfilled', 'partially_fulfilled']],
      placed_since: [sinceNote('placed'), start],
      placed_before: [beforeNote('placed'), end],
    },
  } satisfies QueryNotes<typeof listOrders>,
  mistakenQueries: {
    listOrders: { status: 'paid;pending', contact_id: 'crm-1001' },
  },
  pathParameters: {
    orderId: { thing: 'order', by: 'id', example: orderNotes.id[1] },
  },
  eventTypes: {
    'order.created': { what: 'An order was stored for the first time, in any state' },
    'order.updated': {
      what: 'An order was changed in a way that has no type of its own',
      change: { before: { fulfillment_status: 'unfulfilled' }, after: { fulfillment_status: 'fulfilled' } },
    },
    'order.deleted': { what: 'An order was deleted, and perhaps merged into another one' },
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
        after: { status: 'cancelled', cancelled_at: cancelledAt },
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
} satisfies Reference<(typeof orderOperations)[number], 'order', Order>;

export const orderDocument = {
  name: 'Order',
  one: 'an order',
  short: 'an order',
  list: listOrders,
  read: getOrder,
  operations: orderOperations,
  reference: orderReference,
  notes: orderNotes,
  components: {
    Order: output(order, 'An order, with its lines and its status.', orderNotes),
    Customer: output(() => order().shape.customer, 'The buyer of an order.', customerNotes),
    LineItem: output(() => order().shape.line_items.element, 'A line of an order.', lineItemNotes),
    OrderList: output(listOrders.success.body, 'A page of orders.', listNotes),
  },
} as const;
