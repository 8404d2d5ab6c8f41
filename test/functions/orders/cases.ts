import { anOrder } from '../../support/data/orders.ts';
import { asSent, type Case, refusedIn, terms } from '../../support/input/case.ts';
import { spelledMoment, spelledTimes, unclearTimes } from '../../support/input/times.ts';

export { anOrder as base } from '../../support/data/orders.ts';

const line = (more: object) => ({ line_items: [{ ...anOrder().line_items[0], ...more }] });

export const cases: Case[] = [
  ...terms,
  asSent('a note of many letters', { note: 'x'.repeat(5000) }),
  asSent('a buyer as typed', {
    customer: { email: 'none', phone: 'call me', first_name: '李', last_name: null },
  }),
  asSent('an address as typed', {
    billing_address: {
      line1: 'x'.repeat(3000),
      line2: null,
      city: null,
      region: null,
      postal_code: null,
      country: 'Deutschland',
    },
  }),
  asSent('metres', line({ quantity: 1.25 })),
  asSent('nothing of a line', line({ quantity: 0 })),
  asSent('a price given back', line({ unit_amount: -5, total_amount: -5 })),
  [
    'two lines with one id',
    { line_items: [7, '7 '].map((id) => ({ ...anOrder().line_items[0], id })) },
    undefined,
  ],
  ['an id of a line in a database', line({ id: 7 }), line({ id: '7' })],
  ...[-1, 0.1234567, '1', null, 1e-7].map(
    (quantity): Case => [`a quantity of ${quantity}`, line({ quantity }), undefined],
  ),
  [
    'words in other letters',
    { status: 'Confirmed', payment_status: 'partially-Paid', fulfillment_status: 'NOT required' },
    { status: 'confirmed', payment_status: 'partially_paid', fulfillment_status: 'not_required' },
  ],
  ...refusedIn('payment_status', 'PartiallyPaid', 'authorised', 'void'),
  ['a currency in lower case', { currency: 'eur' }, { currency: 'EUR' }],
  ...refusedIn('currency', 'EURO', '€', 'ßa'),
  asSent('a fee given back', { fee_amount: -100, subtotal_amount: 1100, total_amount: 1000 }),
  ['tax on top', { subtotal_amount: 1000, tax_amount: 190, total_amount: 1190 }, { total_amount: 1190 }],
  [
    'tax inside',
    { subtotal_amount: 1000, tax_amount: 160, tax_included: true, total_amount: 1000 },
    { total_amount: 1000 },
  ],
  ['a sum that is wrong', { subtotal_amount: 1000, total_amount: 999 }, undefined],
  ...refusedIn('total_amount', '1000', 10.5, 2 ** 53, null),
  ...refusedIn('refunded_amount', -1),
  ...[
    ...spelledTimes.map(([, sent]) => [sent, spelledMoment]),
    ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.999Z'],
    ['0000-02-29T00:00:00Z', '0000-02-29T00:00:00.000Z'],
  ].map(([placed_at, stored]): Case => [`the time ${placed_at}`, { placed_at }, { placed_at: stored }]),
  ...refusedIn('placed_at', ...unclearTimes, '2026-03-01', 1772357400, null),
];
