import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { FailedRequest, UsageAnswer } from '../../../../lib/contract/console/usage.ts';
import type { WebhookDelivery } from '../../../../lib/contract/webhookDeliveries.ts';
import type { WebhookRedelivery } from '../../../../lib/contract/webhookRedeliveries.ts';
import type { WebhookSubscription } from '../../../../lib/contract/webhookSubscriptions.ts';

// Answers that would take days to come about: five days of failures, tries over hours, and usage of 400 days.

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
    health: { state: 'healthy', consecutive_failures: 0, last_success_at: ago(0.01), last_failure_at: null },
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
    health: {
      state: 'retrying',
      consecutive_failures: 7,
      last_success_at: ago(2),
      last_failure_at: ago(0.02),
    },
  }),
  aSubscription({
    url: 'https://down.example.com/hooks',
    event_types: ['*'],
    max_per_second: 25,
    status: 'suspended',
    status_reason: 'failing',
    next_probe_at: ago(-0.02),
    health: {
      state: 'retrying',
      consecutive_failures: 61,
      last_success_at: ago(6),
      last_failure_at: ago(0.1),
    },
  }),
];

const aDelivery = (
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
      reason: null,
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
          reason: null,
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
        reason: null,
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

/** Answers a page's requests about webhooks with these, instead of the API. */
export async function answerWebhooks(page: Page): Promise<void> {
  const all = subscriptions();
  const deliveries = deliveriesOf(all[0]?.id as string);
  const result = {
    event_id: idOf('evt', 99),
    event_type: 'webhook.test',
    ...(deliveries[1] as WebhookDelivery).attempts[0],
    reason: null,
    response_excerpt: 'thanks',
    verifies_signatures: false,
  };
  let reads = 0;
  await page.route(/\/console\/api\/webhook-subscriptions/, (route) => {
    const [id, what, delivery] = new URL(route.request().url()).pathname.split('/').slice(4);
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
    if (what === 'deliveries') return route.fulfill({ json: listed(ofSubscription) });
    return route.fulfill({ json: all.find((one) => one.id === id) });
  });
}

const sizes = { hour: 3_600_000, day: 86_400_000 };

type Group = UsageAnswer['groups'][number];

const anyGroup = { status_class: null, key_id: null, operation: null };

const groupsBy: Record<UsageAnswer['group_by'], (keys: readonly string[]) => Partial<Group>[]> = {
  status: () => (['2xx', '4xx', '5xx'] as const).map((status_class) => ({ status_class })),
  key: (keys) => keys.map((key_id) => ({ key_id })),
  operation: () =>
    [
      'listContacts',
      'createContact',
      'getContact',
      'listOrders',
      'getOrder',
      'listChanges',
      'getMe',
      'updateContact',
    ].map((operation) => ({ operation })),
};

/** The answer to a query: the group at place n has (8 − n) × 100 requests in the part of time i, and i more. */
function usageAnswer(query: URLSearchParams, keys: readonly string[]): UsageAnswer {
  const [from, to] = [query.get('from') as string, query.get('to') as string];
  const resolution = query.get('resolution') as UsageAnswer['resolution'];
  const group_by = query.get('group_by') as UsageAnswer['group_by'];
  const size = sizes[resolution];
  const count = (Date.parse(to) - Date.parse(from)) / size;
  const times = Array.from({ length: count }, (_, n) => new Date(Date.parse(from) + n * size).toISOString());
  const groups = groupsBy[group_by](keys).map((group, place) => {
    const requests = times.map((_, n) => (8 - place) * 100 + n);
    return {
      ...anyGroup,
      ...group,
      requests,
      total: requests.reduce((sum, one) => sum + one, 0),
      average_ms: 40 + place,
    };
  });
  return { from, to, resolution, times, group_by, groups };
}

/** Answers a page's requests about usage with these numbers. */
export const answerUsage = (page: Page, keys: readonly string[]): Promise<unknown> =>
  page.route(/\/console\/api\/usage/, (route) =>
    route.fulfill({ json: usageAnswer(new URL(route.request().url()).searchParams, keys) }),
  );

const failure = (n: number, key_id: string, change: Partial<FailedRequest> = {}): FailedRequest => ({
  request_id: `6c7c9e05-0000-4000-8000-${String(n).padStart(12, '0')}`,
  at: new Date(Date.now() - n * 420_000).toISOString(),
  key_id,
  operation: 'getContact',
  method: 'GET',
  path: '/contacts/{contactId}',
  status: 404,
  duration_ms: 12,
  message: 'No contact has this id',
  problems: [],
  ...change,
});

const failures = (key: string): FailedRequest[] => [
  failure(1, key, {
    operation: 'createContact',
    method: 'POST',
    path: '/contacts',
    status: 400,
    problems: [
      { field: 'email', message: 'must be an e-mail address of at most 320 characters' },
      { field: 'address.country', message: 'must be a country code of ISO 3166-1, as in DE' },
      { field: null, message: 'is not known here' },
    ],
    message: 'email must be an e-mail address; address.country must be a country code',
  }),
  failure(2, key, { status: 500, message: null }),
];

/** Answers a page's requests about failed requests, by reason as if there had been very many. */
export const answerFailures = (page: Page, key: string): Promise<unknown> =>
  page.route(/\/console\/api\/failed-requests/, (route) => {
    const not_kept = { '4xx': 1204, '5xx': 0 };
    const data = failures(key);
    if (!new URL(route.request().url()).pathname.endsWith('/groups'))
      return route.fulfill({ json: { data, pagination: { limit: 50, next_before: null }, not_kept } });
    const groups = data.map((latest, n) => ({
      id: `${latest.operation}-${latest.status}`.padEnd(22, '_'),
      count: [1870, 7][n],
      first_at: ago(5),
      last_at: latest.at,
      key_ids: [key],
      latest,
    }));
    return route.fulfill({ json: { data: groups, not_kept, grouped_since: null } });
  });

/** Opens the table of all numbers by operation. It is made anew, and closed, when other numbers arrive. */
export const openNumbers = (page: Page): Promise<void> =>
  expect
    .poll(async () => {
      const closed = page.locator('details.numbers:not([open]) > summary');
      if (await closed.isVisible()) await closed.click();
      return page.getByRole('columnheader', { name: '3 others' }).isVisible();
    })
    .toBe(true);
