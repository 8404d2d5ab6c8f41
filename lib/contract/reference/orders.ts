import type * as z from 'zod';
import type { customer, lineItem, Order } from '../orders.ts';
import { serverNotes } from './contacts.ts';
import type { Notes } from './notes.ts';

export const customerNotes: Notes<z.output<ReturnType<typeof customer>>> = {
  email: ['The e-mail address that was given with the order.', 'ada@example.com'],
  first_name: ['The first name that was given.', 'Ada'],
  last_name: ['The last name that was given.', 'Lovelace'],
  phone: ['The phone number that was given, in E.164 form.', '+4930123456'],
};

export const lineItemNotes: Notes<z.output<ReturnType<typeof lineItem>>> = {
  id: ['The id of the line, unique within its order.', '1'],
  type: ['What kind of thing was ordered.', 'product'],
  sku: ['The stock-keeping unit.', 'MUG-BLUE'],
  name: ['What was ordered, as the buyer read it.', 'Enamel mug'],
  variant_name: ['Which variant of it.', 'Blue'],
  quantity: ['How many were ordered.', 2],
  unit_amount: ['The price of one, before discounts.', 2100],
  discount_amount: ['What was taken off this line.', 0],
  tax_amount: ['The tax in or on this line.', 671],
  total_amount: ['What this line comes to.', 4200],
};

export const orderNotes: Notes<Order> = {
  id: ['The id that this API gave to the order. It never changes.', 'ord_4kq2v8m6t1z9c3x7b5n0hjwr'],
  external_id: ['The id of the order in the system that it comes from.', 'shop-20451'],
  number: ['The number that people know the order by.', 'A-20451'],
  contact_id: ['The contact who ordered, if it is known which one.', 'con_9x7aej2svz025b0x7prpcchs'],
  customer: ['The buyer as they were when they ordered. Later changes of the contact do not change it.'],
  status: ['How far the order is.', 'confirmed'],
  payment_status: ['How far its payment is.', 'paid'],
  fulfillment_status: ['How much of it was handed over.', 'unfulfilled'],
  currency: ['The currency of all amounts, as a code of ISO 4217.', 'EUR'],
  subtotal_amount: ['The sum of the lines, in the currency’s minor unit: 4200 is EUR 42.00.', 4200],
  discount_amount: ['What was taken off the whole order.', 200],
  shipping_amount: ['What shipping costs.', 490],
  fee_amount: ['What fees come to.', 0],
  tax_amount: ['The tax in or on the order.', 717],
  total_amount: [
    'What the order comes to: subtotal - discount + shipping + fee, and + tax unless tax_included.',
    4490,
  ],
  paid_amount: ['What has been paid so far.', 4490],
  refunded_amount: ['What has been given back so far.', 0],
  tax_included: ['Whether the other amounts have the tax in them already.', true],
  line_items: ['What was ordered, line by line.'],
  billing_address: ['Where the invoice goes.'],
  shipping_address: ['Where the goods go.'],
  note: [
    'What the buyer or the seller noted. It may have several lines.',
    'Please leave it with the neighbours',
  ],
  custom_fields: ['Fields that the product’s systems add.'],
  placed_at: ['When the order was placed.', '2026-03-01T09:29:58.000Z'],
  paid_at: ['When it was paid in full.', '2026-03-01T09:30:00.000Z'],
  cancelled_at: ['When it was cancelled.', null],
  ...serverNotes('order'),
};
