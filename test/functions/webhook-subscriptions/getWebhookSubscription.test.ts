import { expect, test } from 'vitest';
import { getWebhookSubscription } from '../../../lib/contract/webhookSubscriptions.ts';
import { givenAccount, givenKey, givenSubscription } from '../../support/data/given.ts';
import { call } from '../../support/http/api.ts';

test('that of another account is 404, like one that never existed, and like other items of its table', async () => {
  const { id } = await givenSubscription(givenAccount());
  const account = givenAccount();
  await givenSubscription(account);
  const { text: key } = await givenKey(account);
  for (const subscriptionId of [id, 'count', 'whs_', id.toUpperCase()]) {
    const { status, body } = await call(getWebhookSubscription, { key, params: { subscriptionId } });
    expect([status, body.message]).toEqual([404, `No webhook subscription has the id "${subscriptionId}"`]);
  }
});
