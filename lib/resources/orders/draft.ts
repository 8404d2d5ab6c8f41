import { snapshotAddressDraft } from '../../values/addresses.ts';
import { lazy } from '../../values/lazy.ts';
import { snapshotFieldsDraft } from '../../values/shared.ts';
import { blankTerms, isFound, isLinked, statementTerms } from '../../values/statement.ts';
import { completed, emptyOr, list, object, orNull } from '../../values/structure.ts';
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

/** An order as the product's systems send it. docs/merge.md says what it may say beside its fields. */
export const orderDraft = /* @__PURE__ */ lazy(() => {
  return completed(
    object({
      ...orderFields(),
      external_id: orNull(externalId()),
      customer: emptyOr(completed(customer(), blankCustomer)),
      line_items: list(completed(lineItem(), blankLineItem), { max: linesMax }),
      billing_address: orNull(snapshotAddressDraft()),
      shipping_address: orNull(snapshotAddressDraft()),
      custom_fields: snapshotFieldsDraft(),
      ...statementTerms('ord'),
    }),
    { ...blankOrder, ...blankTerms },
    isFound,
    isLinked,
  ).superRefine((order, { issues }) => {
    const [input, sum] = [order.total_amount, sumOf(order as OrderFields)];
    const hint = `it is ${input}, and the sum is ${sum}`;
    if (input !== sum)
      issues.push({ code: 'custom', message: addedUpRule, path: ['total_amount'], input, params: { hint } });
  });
});
