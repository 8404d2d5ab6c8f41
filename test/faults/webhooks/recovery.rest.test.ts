import { expect, test } from 'vitest';
import { listDeliveries } from '../../../lib/webhooks/log/listDeliveries.ts';
import {
  changeByOperator,
  resumeAccount,
  suspendAccount,
} from '../../../lib/webhooks/receivers/blockedHosts.ts';
import { aContact, givenContacts } from '../../support/data/given.ts';
import type { GivenSubscriber } from '../../support/pipeline/conservation.ts';
import { setStatus } from '../../support/pipeline/settings.ts';
import { dayMs, hourMs, minuteMs } from '../../support/pipeline/time.ts';
import { usePipeline } from '../../support/pipeline/usePipeline.ts';

// Resting deliveries are sent by themselves when their reason ends, or given up after thirty days.

const pipeline = usePipeline();

/** The log, newest first. */
async function logged({ account, id }: GivenSubscriber): Promise<[status: string, reason: string | null][]> {
  const { data } = await listDeliveries(account, id, { limit: 100, offset: 0 }, { kind: 'full' });
  return data.map(({ status, status_reason }) => [status, status_reason]);
}

const waits = ['pending', null];
const expired = ['failed', 'expired'];

test.each<[string, (one: GivenSubscriber) => unknown]>([
  [
    'its receiver never comes back',
    () => {
      pipeline.receiver.reply = () => 503;
    },
  ],
  ['its owner has paused it', (one) => setStatus(one, 'paused')],
  ['the operator has paused it', ({ account, id }) => changeByOperator('pause', account, id)],
  ['its account is suspended', ({ account }) => suspendAccount(account)],
])(
  'a subscription, because %s: what has waited for thirty days is failed, and the log shows it for thirty-five',
  async (_, hold) => {
    const one = await pipeline.subscribe();
    await hold(one);
    await pipeline.happens(one, 2);
    await pipeline.time.pass(20 * dayMs);
    await pipeline.happens(one);
    await pipeline.time.pass(10 * dayMs - minuteMs);
    expect(await logged(one)).toEqual([waits, waits, waits]);
    // A day of the log has to end, and a stopped recovery looks once a day.
    await pipeline.time.pass(2 * dayMs + minuteMs);
    expect(await logged(one)).toEqual([waits, expired, expired]);
    await pipeline.time.pass(4 * dayMs);
    expect(await logged(one)).toEqual([waits]);
    pipeline.receiver.reply = () => 204;
    await resumeAccount(one.account);
    await changeByOperator('resume', one.account, one.id);
    await setStatus(one, 'active');
    await pipeline.time.pass(6 * hourMs);
    expect(await logged(one)).toEqual([['succeeded', null]]);
  },
);

test('an event that its receiver refuses while it accepts others fails in the end; all others arrive', async () => {
  const one = await pipeline.subscribe();
  pipeline.receiver.reply = ({ body }) => (body.includes('poison') ? 400 : 204);
  await givenContacts(one.account, [aContact({ note: 'poison' })]);
  await pipeline.fanOut();
  for (let hours = 0; hours < 100; hours += 4) {
    await pipeline.happens(one);
    await pipeline.time.pass(4 * hourMs);
  }
  expect(await pipeline.check(one)).toEqual({ succeeded: 25, failed: 1 });
  expect((await logged(one)).at(-1)).toEqual(['failed', 'refused']);
});
