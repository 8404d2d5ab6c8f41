import type * as z from 'zod';
import { snapshotAddress } from '../../values/addresses.ts';
import { amount, boolean, currency, id, integer, oneOf, signedAmount, time } from '../../values/fields.ts';
import { lazy } from '../../values/lazy.ts';
import { customFields, serverFields } from '../../values/shared.ts';
import { list, noTime, object, orNull } from '../../values/structure.ts';
import { externalId, snapshotLines, snapshotText, snapshotWord } from '../../values/texts/texts.ts';

/** The buyer, as the buyer has typed it. */
export const customer = () =>
  object({
    email: orNull(snapshotWord(320)),
    first_name: orNull(snapshotText(255)),
    last_name: orNull(snapshotText(255)),
    phone: orNull(snapshotWord(100)),
  });

export const blankCustomer = { email: null, first_name: null, last_name: null, phone: null };

export const lineItem = () =>
  object({
    id: snapshotText(255),
    type: oneOf('product', 'ticket', 'shipping', 'fee', 'donation', 'other'),
    sku: orNull(snapshotText(255)),
    name: snapshotText(1000),
    variant_name: orNull(snapshotText(1000)),
    /** 0 for a line that was taken out of the order. */
    quantity: integer({ min: 0 }),
    unit_amount: signedAmount(),
    discount_amount: signedAmount(),
    tax_amount: signedAmount(),
    total_amount: signedAmount(),
  });

/** An order of no line is a fee alone, as for a cancellation. */
export const linesMax = 500;

export const blankLineItem = { sku: null, variant_name: null, discount_amount: 0, tax_amount: 0 };

export const orderStatuses = ['pending', 'confirmed', 'completed', 'cancelled'] as const;

export const paymentStatuses = [
  'not_required',
  'unpaid',
  'authorized',
  'partially_paid',
  'paid',
  'partially_refunded',
  'refunded',
  'voided',
] as const;

export const fulfillmentStatuses = [
  'not_required',
  'unfulfilled',
  'partially_fulfilled',
  'fulfilled',
] as const;

/** The fields of an order that the product's systems state. */
export const orderFields = () => ({
  external_id: orNull(externalId()),
  number: snapshotText(100),
  contact_id: orNull(id('con')),
  /** The buyer's data at the time of the order. */
  customer: customer(),
  status: oneOf(...orderStatuses),
  payment_status: oneOf(...paymentStatuses),
  fulfillment_status: oneOf(...fulfillmentStatuses),
  currency: currency(),
  subtotal_amount: signedAmount(),
  discount_amount: signedAmount(),
  shipping_amount: signedAmount(),
  fee_amount: signedAmount(),
  /** What a total in cash is rounded by: -2 for 19.97 that is paid as 19.95. */
  rounding_amount: signedAmount(),
  tax_amount: signedAmount(),
  total_amount: signedAmount(),
  paid_amount: signedAmount(),
  refunded_amount: amount(),
  tax_included: boolean(),
  line_items: list(lineItem(), { max: linesMax }),
  billing_address: orNull(snapshotAddress()),
  shipping_address: orNull(snapshotAddress()),
  note: orNull(snapshotLines(2000)),
  custom_fields: customFields(),
  placed_at: time(),
  paid_at: orNull(time(), noTime),
  cancelled_at: orNull(time(), noTime),
});

export const order = /* @__PURE__ */ lazy(() =>
  object({ id: id('ord'), ...orderFields(), ...serverFields() }),
);
export type Order = z.output<ReturnType<typeof order>>;
export type OrderFields = Omit<Order, 'id' | keyof ReturnType<typeof serverFields>>;

/** The default values of the fields that may be left out. */
export const blankOrder = {
  external_id: null,
  contact_id: null,
  customer: blankCustomer,
  discount_amount: 0,
  shipping_amount: 0,
  fee_amount: 0,
  rounding_amount: 0,
  tax_amount: 0,
  paid_amount: 0,
  refunded_amount: 0,
  tax_included: false,
  line_items: [],
  billing_address: null,
  shipping_address: null,
  note: null,
  custom_fields: {},
  paid_at: null,
  cancelled_at: null,
};
