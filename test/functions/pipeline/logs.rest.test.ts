import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deliveryStatuses } from '../../../lib/contract/attempts.ts';
import { eventTypes } from '../../../lib/contract/eventTypes.ts';
import type { DeliveryQuery, WebhookDelivery } from '../../../lib/contract/webhookDeliveries.ts';
import { write } from '../../../lib/dynamodb/transact.ts';
import { ended } from '../../../lib/webhooks/deliveries/transitions.ts';
import { asLogged, readLog } from '../../../lib/webhooks/log/deliveryLog.ts';
import { listDeliveries } from '../../../lib/webhooks/log/listDeliveries.ts';
import { type Delivery, shownDelivery, statusOf } from '../../../lib/webhooks/model/delivery.ts';
import { firstLogged } from '../../../lib/webhooks/model/subscription.ts';
import { redeliver } from '../../../lib/webhooks/redelivery/redeliver.ts';
import { deleteSubscription } from '../../../lib/webhooks/subscriptions/deleteSubscription.ts';
import { givenAccount, givenDeliveries, givenSubscription, inAnHour } from '../../support/data/given.ts';
import { deliveriesTo } from '../../support/pipeline/conservation.ts';
import { expectedLogs, givenAttempt, indexedLogs } from '../../support/pipeline/expectedLogs.ts';
import { indexLogs } from '../../support/pipeline/stream.ts';
import { usePipeline } from '../../support/pipeline/usePipeline.ts';

// Random programs of deliveries, attempts, redeliveries and deletions, and filtered logs against a plain array.

const pipeline = usePipeline();
const access = { kind: 'full' } as const;

const resources = [
  'con_000000000000000000000001',
  'con_000000000000000000000002',
  'ord_000000000000000000000001',
];
const types = ['contact.created', 'contact.updated', 'order.paid'] as const;

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('deliver' as const),
      to: fc.nat({ max: 1 }),
      amount: fc.integer({ min: 1, max: 60 }),
      type: fc.constantFrom(...types),
      resource: fc.constantFrom(...resources),
      /** Hours since the deliveries before; a clock may also be behind. */
      later: fc.integer({ min: -2, max: 120 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'succeeded' as const,
        'failed' as const,
        'pending' as const,
        'redeliver' as const,
        'cancelled' as const,
      ),
      to: fc.nat({ max: 1 }),
      which: fc.array(fc.nat(), { minLength: 1, maxLength: 20 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('index' as const) }) },
);
const program = fc.record({ steps: fc.array(step, { minLength: 5, maxLength: 25 }), deletes: fc.boolean() });

const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
/** The end of a range: the time of one of the deliveries, or a millisecond from it. */
const end = some(fc.tuple(fc.nat(), fc.integer({ min: -1, max: 1 })));
const query = fc.record({
  limit: fc.integer({ min: 1, max: 100 }),
  offset: fc.nat({ max: 60 }),
  status: some(fc.subarray([...deliveryStatuses, 'not_a_status'], { minLength: 1 })),
  event_type: some(fc.subarray<string>([...types, eventTypes[5] as string], { minLength: 1 })),
  resource_id: some(fc.constantFrom(...resources, 'reg_000000000000000000000009')),
  since: end,
  before: end,
});
type Asked = typeof query extends fc.Arbitrary<infer Value> ? Value : never;

const hourMs = 3_600_000;
const oldestMs = 45 * 24 * hourMs;

/** Carries out steps on the logs of two subscriptions. */
class Logs {
  readonly account = givenAccount();
  readonly ids: string[] = [];
  private clock = Date.now() - oldestMs;

  async open(): Promise<void> {
    for (let i = 0; i < 2; i++)
      this.ids.push((await givenSubscription(this.account, { status: 'paused' })).id);
  }

  async take(one: typeof step extends fc.Arbitrary<infer Value> ? Value : never): Promise<void> {
    if (one.kind === 'index') return this.index();
    const id = this.ids[one.to] as string;
    if (one.kind === 'deliver') {
      this.clock = Math.min(Date.now(), this.clock + one.later * hourMs);
      const resource = {
        type: one.resource.startsWith('con') ? 'contact' : 'order',
        id: one.resource,
      } as const;
      await givenDeliveries(this.account, { id }, one.amount, new Date(this.clock), {
        type: one.type,
        resource,
      });
      return;
    }
    const log = await deliveriesTo({ account: this.account, id });
    const chosen = new Set(log.length === 0 ? [] : one.which.map((n) => log[n % log.length] as Delivery));
    for (const delivery of chosen) await this.change(id, delivery, one.kind);
  }

  private async change(
    id: string,
    delivery: Delivery,
    kind: ReturnType<typeof statusOf> | 'redeliver',
  ): Promise<void> {
    const isKept = Number(delivery.sk) >= firstLogged((await readLog(this.account, id)).logged);
    const once = { access, deadline: inAnHour(), once: undefined };
    if (kind === 'redeliver') {
      if (isKept) await redeliver(this.account, id, delivery.id, once);
    } else if (delivery.phase.at === 'ended') return;
    else if (kind === 'cancelled') await write(ended(delivery, { how: 'cancelled' }));
    else await givenAttempt(delivery, kind);
  }

  async index(): Promise<void> {
    expect(await indexLogs(await pipeline.logs.all())).toEqual([]);
  }
}

const queryOf = ({ since, before, ...rest }: Asked, log: readonly Delivery[]): DeliveryQuery => {
  const timeOf = (asked: [number, number] | undefined) =>
    asked &&
    new Date(Date.parse((log[asked[0] % log.length] as Delivery).created_at) + asked[1]).toISOString();
  const times = log.length === 0 ? {} : { since: timeOf(since), before: timeOf(before) };
  return { ...rest, ...times };
};

const matched = ['status', 'event_type', 'resource', 'created_at'] as const;

/** The filter as a reader of the documentation would write it. */
const isMatch = (
  { status, event_type, resource, created_at }: Pick<WebhookDelivery, (typeof matched)[number]>,
  asked: DeliveryQuery,
): boolean =>
  (asked.status === undefined || asked.status.includes(status)) &&
  (asked.event_type === undefined || asked.event_type.includes(event_type)) &&
  (asked.resource_id === undefined || resource.id === asked.resource_id) &&
  (asked.since === undefined || created_at >= asked.since) &&
  (asked.before === undefined || created_at < asked.before);

test('filtered logs of random programs are those of a plain array, and never show a delivery that does not match', async () => {
  const property = fc.asyncProperty(
    program,
    fc.array(query, { minLength: 30, maxLength: 30 }),
    async ({ steps, deletes }, queries) => {
      const logs = new Logs();
      await logs.open();
      for (const [i, one] of steps.entries()) {
        await logs.take(one);
        const { since: _, before: __, ...asked } = queries[i] as Asked;
        const { data } = await listDeliveries(logs.account, logs.ids[0] as string, asked, access);
        for (const delivery of data) expect(isMatch(delivery, asked)).toBe(true);
      }
      if (deletes) await deleteSubscription(logs.account, logs.ids[0] as string, inAnHour());
      await logs.index();
      expect(await indexedLogs(logs.account)).toEqual(await expectedLogs(logs.account, ...logs.ids));
      for (const id of logs.ids) {
        const log = await readLog(logs.account, id);
        const stored = await deliveriesTo({ account: logs.account, id });
        expect(stored.map(({ created_at }) => created_at)).toEqual(
          stored.map(({ created_at }) => created_at).sort(),
        );
        for (const one of queries) {
          const asked = queryOf(one, stored);
          const matching = stored
            .slice(firstLogged(log.logged))
            .map((delivery) => asLogged(log, delivery))
            .filter((delivery) => isMatch({ ...delivery, status: statusOf(delivery.phase) }, asked))
            .reverse();
          const { limit, offset } = asked;
          expect(await listDeliveries(logs.account, id, asked, access), JSON.stringify(asked)).toEqual({
            data: matching.slice(offset, offset + limit).map((delivery) => shownDelivery(delivery, access)),
            pagination: { limit, offset, total: matching.length },
          });
        }
      }
    },
  );
  await fc.assert(property, { numRuns: 5, endOnFailure: true });
});
