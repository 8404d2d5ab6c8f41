import { expect, test } from 'vitest';
import { readSubscriptions } from '../../../lib/webhooks/model/subscriptions.ts';
import { changeByOperator } from '../../../lib/webhooks/receivers/blockedHosts.ts';
import { createSubscription } from '../../../lib/webhooks/subscriptions/createSubscription.ts';
import { aFullKey, inAnHour } from '../../support/data/given.ts';
import { beforeTheCommit } from '../../support/faults/wire.ts';
import type { GivenSubscriber } from '../../support/pipeline/conservation.ts';
import { change } from '../../support/pipeline/settings.ts';
import { usePipeline } from '../../support/pipeline/usePipeline.ts';

// The owner of a subscription asks for a change while the operator stops its host.

const pipeline = usePipeline();

const create = ({ account }: GivenSubscriber, url: string) =>
  createSubscription(
    account,
    {
      url,
      event_types: ['*'],
      description: null,
      payload: 'full',
      max_per_second: null,
      exclude_own: false,
      changed_fields: null,
      status: 'active',
    },
    { by: aFullKey, deadline: inAnHour(), once: undefined },
  );

test.each<[string, (one: GivenSubscriber, url: string) => Promise<() => Promise<unknown>>]>([
  ['is made', async (one, url) => () => create(one, url)],
  [
    'gets its host',
    async (one, url) => {
      const elsewhere = new URL(url);
      elsewhere.hostname = 'localhost';
      const other = await pipeline.subscribe({ url: elsewhere.href }, one.account);
      return () => change(other, { url });
    },
  ],
])('no subscription %s by a request that was under way before the stop', async (_, given) => {
  const one = await pipeline.subscribe();
  const request = await given(one, pipeline.receiver.url('/stopped'));
  beforeTheCommit(() => changeByOperator('pause', one.account, one.id));
  await expect(request()).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('the operator of this API has blocked this one'),
  });
  const to = (await readSubscriptions(one.account)).filter(({ host }) => host === '127.0.0.1');
  expect(to.map(({ status_reason }) => status_reason)).toEqual(['operator']);
});
