import { expect, test } from 'vitest';
import { listWebhookSubscriptions } from '../../../lib/contract/webhookSubscriptions.ts';
import { givenAccount, givenKey, givenSubscription } from '../../support/data/given.ts';
import { call } from '../../support/http/api.ts';

test('a walk through the pages sees every subscription once, oldest first, without secrets', async () => {
  const account = givenAccount();
  const { text: key } = await givenKey(account);
  const made: string[] = [];
  for (let i = 0; i < 7; i++) made.push((await givenSubscription(account)).id);
  const seen: string[] = [];
  for (let offset = 0; offset < 9; offset += 3) {
    const { body, headers } = await call(listWebhookSubscriptions, { key, query: { limit: 3, offset } });
    expect(body.pagination).toEqual({ limit: 3, offset, total: 7 });
    expect(headers.get('Link')).toContain('rel="last"');
    expect(JSON.stringify(body)).not.toContain('secret"');
    seen.push(...body.data.map(({ id }) => id));
  }
  expect(seen).toEqual(made);
  const id = [made[5], 'whs_000000000000000000000000', made[1]].join();
  const { body } = await call(listWebhookSubscriptions, { key, query: { id, limit: 1, offset: 1 } });
  expect(body).toMatchObject({ data: [{ id: made[5] }], pagination: { total: 2 } });
});
