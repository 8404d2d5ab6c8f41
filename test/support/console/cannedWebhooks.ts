import type { Page } from 'playwright-core';
import type { WebhookDelivery } from '../../../lib/contract/webhookDeliveries.ts';
import type { WebhookRedelivery } from '../../../lib/contract/webhookRedeliveries.ts';
import type { WebhookSubscription } from '../../../lib/contract/webhookSubscriptions.ts';

// Subscriptions and deliveries that would take days to come about: five days of failures, and tries over hours.

const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

const idOf = (prefix: string, n: number): string => `${prefix}_${String(n).padStart(24, '0')}`;

let count = 0;

const aSubscription = (change: Partial<WebhookSubscription> = {}): WebhookSubscription => {
  count += 1;
  return {
    id: idOf('whs', count),
    url: `https://hooks.example.com/${count}`,
    event_types: ['order.paid', 'order.refunded'],
    description: null,
    payload: 'full',
    max_per_second: null,
    exclude_own: false,
    changed_fields: null,
    status: 'active',
    status_reason: null,
    next_probe_at: null,
    secret_hint: 'x9Zk',
    previous_secret_expires_at: null,
    health: { consecutive_failures: 0, last_success_at: ago(0.01), last_failure_at: null },
    version: 1,
    created_at: ago(20),
    updated_at: ago(20),
    created_by_key_id: null,
    updated_by_key_id: null,
    ...change,
  };
};

const subscriptions = (): WebhookSubscription[] => [
  aSubscription({
    url: 'https://shop.example.com/hooks/orders',
    description: 'Books payments in the shop',
  }),
  aSubscription({
    url: 'https://crm.example.com/in',
    event_types: ['*'],
    health: { consecutive_failures: 7, last_success_at: ago(2), last_failure_at: ago(0.02) },
  }),
  aSubscription({
    url: 'https://old.example.com/hooks',
    event_types: ['contact.*'],
    status: 'disabled',
    status_reason: 'failing',
    health: { consecutive_failures: 60, last_success_at: ago(30), last_failure_at: ago(1) },
  }),
  aSubscription({
    url: 'https://down.example.com/hooks',
    event_types: ['*'],
    max_per_second: 25,
    status: 'suspended',
    status_reason: 'failing',
    next_probe_at: ago(-0.02),
    health: { consecutive_failures: 61, last_success_at: ago(6), last_failure_at: ago(0.1) },
  }),
  aSubscription({
    url: 'https://blocked.example.com/hooks',
    status: 'paused',
    status_reason: 'blocked',
  }),
  aSubscription({
    url: 'https://stopped.example.com/hooks',
    status: 'paused',
    status_reason: 'operator',
  }),
];

export const aDelivery = (
  subscription_id: string,
  change: Partial<WebhookDelivery>,
  n: number,
): WebhookDelivery => ({
  id: idOf('dlv', n),
  event_id: idOf('evt', n),
  event_type: 'order.paid',
  resource: { type: 'order', id: idOf('ord', n) },
  origin: { kind: 'product' },
  subscription_id,
  status: 'succeeded',
  status_reason: null,
  attempt_count: 1,
  next_attempt_at: null,
  attempts: [
    {
      number: 1,
      started_at: ago(n / 24),
      duration_ms: 182,
      http_status: 200,
      outcome: 'success',
      response_excerpt: 'ok',
    },
  ],
  created_at: ago(n / 24),
  ...change,
});

const deliveriesOf = (id: string): WebhookDelivery[] => [
  aDelivery(
    id,
    {
      status: 'pending',
      next_attempt_at: ago(-0.02),
      attempts: [
        {
          number: 1,
          started_at: ago(0.01),
          duration_ms: 10_000,
          http_status: null,
          outcome: 'timeout',
          response_excerpt: null,
        },
      ],
    },
    1,
  ),
  aDelivery(id, {}, 2),
  aDelivery(
    id,
    {
      status: 'failed',
      status_reason: 'expired',
      attempt_count: 2,
      attempts: [1, 2].map((number) => ({
        number,
        started_at: ago(0.2),
        duration_ms: 90,
        http_status: 500,
        outcome: 'http_error',
        response_excerpt: '<h1>Internal Server Error</h1>',
      })),
    },
    3,
  ),
  ...Array.from({ length: 6 }, (_, n) => aDelivery(id, { event_type: 'order.refunded' }, n + 4)),
  aDelivery(id, { status: 'pending', attempt_count: 0, attempts: [], next_attempt_at: ago(-0.02) }, 10),
  aDelivery(id, { status: 'cancelled', attempt_count: 0, attempts: [] }, 11),
];

/** A redelivery of many. */
const aRedelivery = (subscription_id: string, state: WebhookRedelivery['state']): WebhookRedelivery => ({
  id: idOf('rdl', 1),
  subscription_id,
  since: ago(1),
  before: null,
  event_types: null,
  status_filter: 'failed',
  state,
  total: 5000,
  redelivered: 1200,
  skipped: 34,
  left_out: { pending: 30, other_status: 4, other_type: 0, earlier_host: 0 },
  created_at: ago(0),
  updated_at: ago(0),
});

const listed = <T>(data: readonly T[]) => ({
  data,
  pagination: { limit: 100, offset: 0, total: data.length },
});

/** Whether a delivery is one of those that the page asks for. */
const isAsked = ({ status, event_type, resource }: WebhookDelivery, query: URLSearchParams): boolean =>
  Object.entries({ status, event_type, resource_id: resource.id }).every(
    ([name, value]) => (query.get(name) ?? value) === value,
  );

/** Answers a page's requests about webhooks with these, instead of the API. */
export async function answerCanned(page: Page): Promise<void> {
  const all = subscriptions();
  const deliveries = deliveriesOf(all[0]?.id as string);
  const result = {
    event_id: idOf('evt', 99),
    event_type: 'webhook.test',
    ...(deliveries[1] as WebhookDelivery).attempts[0],
    response_excerpt: 'thanks',
    verifies_signatures: false,
  };
  let reads = 0;
  await page.route(/\/console\/api\/webhook-subscriptions/, (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    const [id, what, delivery] = pathname.split('/').slice(4);
    if (id === undefined) return route.fulfill({ json: listed(all) });
    if (what === 'test') return route.fulfill({ json: result });
    if (what === 'redeliver') return route.fulfill({ json: aRedelivery(id, 'running') });
    if (what === 'redeliveries') {
      reads += 1;
      return route.fulfill({ json: aRedelivery(id, reads === 1 ? 'running' : 'completed') });
    }
    const ofSubscription = deliveries.filter((one) => one.subscription_id === id);
    if (delivery !== undefined) {
      const found = ofSubscription.find((one) => one.id === delivery);
      return route.fulfill({ json: { ...found, body: JSON.stringify({ type: found?.event_type }) } });
    }
    if (what === 'deliveries')
      return route.fulfill({ json: listed(ofSubscription.filter((one) => isAsked(one, searchParams))) });
    return route.fulfill({ json: all.find((one) => one.id === id) });
  });
}
