import { lazy } from './operation.ts';
import {
  blankCustomer,
  blankLineItem,
  blankOrder,
  customer,
  lineItem,
  type OrderFields,
  orderFields,
} from './orders.ts';
import { externalId } from './values/fields.ts';
import { addressDraft, customFieldsDraft } from './values/shared.ts';
import { completed, list, object, orNull } from './values/structure.ts';
import { time } from './values/time.ts';

const isAddedUp = (o: OrderFields): boolean =>
  o.total_amount ===
  o.subtotal_amount -
    o.discount_amount +
    o.shipping_amount +
    o.fee_amount +
    (o.tax_included ? 0 : o.tax_amount);

const addedUpRule =
  'total_amount must be subtotal_amount - discount_amount + shipping_amount + fee_amount, plus tax_amount unless tax_included';

/** An order as the product's systems send it. `updated_at` is the time of that system: an older state never replaces a newer one. */
export const orderDraft = lazy(() => {
  const { external_id: _, ...blank } = blankOrder;
  return completed(
    object({
      ...orderFields(),
      external_id: externalId(),
      customer: completed(customer(), blankCustomer),
      line_items: list(completed(lineItem(), blankLineItem), { min: 1, max: 100 }),
      billing_address: orNull(addressDraft()),
      shipping_address: orNull(addressDraft()),
      custom_fields: customFieldsDraft(),
      updated_at: orNull(time()),
    }),
    { ...blank, updated_at: null },
  ).refine(isAddedUp, addedUpRule);
});
