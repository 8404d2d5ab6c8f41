import { lazy } from '../../lazy.ts';
import { snapshotAddressDraft } from '../../values/addresses.ts';
import { time } from '../../values/fields.ts';
import { snapshotFieldsDraft } from '../../values/shared.ts';
import { completed, emptyOr, list, noTime, object, orNull } from '../../values/structure.ts';
import { externalId } from '../../values/texts/texts.ts';
import {
  blankCustomer,
  blankLineItem,
  blankOrder,
  customer,
  lineItem,
  linesMax,
  type OrderFields,
  orderFields,
} from './fields.ts';

const sumOf = (o: OrderFields): number =>
  o.subtotal_amount -
  o.discount_amount +
  o.shipping_amount +
  o.fee_amount +
  o.rounding_amount +
  (o.tax_included ? 0 : o.tax_amount);

const addedUpRule =
  'must be subtotal_amount - discount_amount + shipping_amount + fee_amount + rounding_amount, plus tax_amount unless tax_included';

/** An order as the product's systems send it. `updated_at` is the time of that system: an older state never replaces a newer one. */
export const orderDraft = lazy(() => {
  const { external_id: _, ...blank } = blankOrder;
  return completed(
    object({
      ...orderFields(),
      external_id: externalId(),
      customer: emptyOr(completed(customer(), blankCustomer)),
      line_items: list(completed(lineItem(), blankLineItem), { max: linesMax }),
      billing_address: orNull(snapshotAddressDraft()),
      shipping_address: orNull(snapshotAddressDraft()),
      custom_fields: snapshotFieldsDraft(),
      updated_at: orNull(time(), noTime),
    }),
    { ...blank, updated_at: null },
  ).superRefine((order, { issues }) => {
    const [input, sum] = [order.total_amount, sumOf(order as OrderFields)];
    const hint = `it is ${input}, and the sum is ${sum}`;
    if (input !== sum)
      issues.push({ code: 'custom', message: addedUpRule, path: ['total_amount'], input, params: { hint } });
  });
});
