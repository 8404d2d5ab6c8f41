import { expect, test } from 'vitest';
import { reserveSlot } from '../../../lib/webhooks/deliveries/pace.ts';
import { givenAccount } from '../../support/data/given.ts';

test('attempts at once get a slot each, evenly spaced', async () => {
  const account = givenAccount();
  const slots = await Promise.all(Array.from({ length: 100 }, () => reserveSlot(account, 'whs_1', 50)));
  // An attempt may be a second early, so the first 50 are at once.
  const later = slots.sort((a, b) => a - b).slice(60);
  expect(later.map((at) => at - (later[0] as number))).toEqual(later.map((_, i) => 20 * i));
});
