import { expect, test } from 'vitest';
import { readSubscriptions } from '../../../lib/webhooks/model/subscriptions.ts';
import { subscriptionsMax } from '../../../lib/webhooks/subscriptions/createSubscription.ts';
import { aContact, givenAccount, givenContacts, givenSubscription } from '../../support/data/given.ts';
import { answer, aReceiver, endsAfter } from '../../support/http/receivers.ts';
import { setStatus } from '../../support/pipeline/settings.ts';

// The whole way, on a stack whose stream has one shard.

test('an account gets its event while those of another, which has earlier changes, are still being fanned out', async () => {
  const [busy, other] = [givenAccount(), givenAccount()];
  const receiver = await aReceiver(endsAfter(answer('200 OK')));
  const url = `http://127.0.0.1:${receiver.port}/`;
  for (let count = 0; count < subscriptionsMax; count++) {
    const { id, event_types } = await givenSubscription(busy, { url: `${url}${count}` });
    // Held deliveries are fanned out like others, and nothing is sent.
    await setStatus({ account: busy, id, path: '', event_types }, 'paused');
  }
  await givenSubscription(other, { url });
  const changes = 300;
  await givenContacts(
    busy,
    Array.from({ length: changes }, () => aContact()),
  );
  await givenContacts(other, [aContact()]);
  const fannedOut = async () => (await readSubscriptions(busy)).map(({ logged }) => logged.count);
  await expect.poll(() => receiver.requests, { interval: 5 }).toHaveLength(1);
  expect(Math.max(...(await fannedOut()))).toBeLessThan(changes / 2);
  await expect.poll(fannedOut).toEqual(Array(subscriptionsMax).fill(changes));
});
