import type * as z from 'zod';
import type { customer, lineItem, Order } from '../orders.ts';
import { activeCurrencies } from '../values/standards/currencies.ts';
import { serverNotes } from './contacts.ts';
import type { Notes } from './notes.ts';

const listed = (codes: string): string => codes.split(' ').join(', ');

const { 0: without, 3: three, 4: four } = activeCurrencies;

/** What an amount of 1 is. */
export const minorUnits = `Amounts count the minor unit, which has two digits; none in ${listed(without)}; three in ${listed(three)}; four in ${listed(four)}. A code without a minor unit, such as XAU or XXX, counts whole units.`;

export const customerNotes: Notes<z.output<ReturnType<typeof customer>>> = {
  email: ['The e-mail address, as the buyer has typed it.', 'ada@example.com'],
  first_name: ['The first name that was given.', 'Ada'],
  last_name: ['The last name that was given.', 'Lovelace'],
  phone: ['The phone number, as the buyer has typed it.', '030 123456'],
};

export const lineItemNotes: Notes<z.output<ReturnType<typeof lineItem>>> = {
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
  currency: [
    `The currency of all amounts, as a code of ISO 4217, of today or withdrawn. ${minorUnits}`,
    'EUR',
  ],
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
