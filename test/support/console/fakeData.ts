import type { ActivityEntry } from '../../../lib/contract/console/activity.ts';
import type { ConsoleKey } from '../../../lib/contract/console/keys.ts';
import type { SessionAnswer } from '../../../lib/contract/console/session.ts';
import type { WebhookDelivery } from '../../../lib/contract/webhookDeliveries.ts';
import type { WebhookSubscription } from '../../../lib/contract/webhookSubscriptions.ts';

const dayMs = 86_400_000;
export const ago = (days: number): string => new Date(Date.now() - days * dayMs).toISOString();
const ana = { kind: 'user', id: 'u1', name: 'Ana Ruiz' } as const;
const jonas = { kind: 'user', id: 'u2', name: 'Jonas Weber' } as const;

export const idOf = (prefix: string, n: number): string => `${prefix}_${String(n).padStart(24, '0')}`;

export const givenSession = (change: Partial<SessionAnswer> = {}): SessionAnswer => ({
  account: 'acme',
  account_name: 'Muster GmbH',
  actor: { id: 'u1', name: 'Ana Ruiz' },
  role: 'admin',
  return_url: 'https://product.example.com/settings',
  renew_url: 'https://product.example.com/integrations',
  expires_at: ago(-0.3),
  idle_seconds: 1800,
  api_url: 'http://127.0.0.1:3000/v1/',
  authorizer_cache_seconds: 60,
  suspended: false,
  ...change,
});

let count = 0;

export function givenKey(change: Partial<ConsoleKey> = {}): ConsoleKey {
  count += 1;
  const hint = change.display?.slice(-4) ?? `k${100 + count}`;
  return {
    id: idOf('key', count),
    name: `Key ${count}`,
    display: `pak_test_…${hint}`,
    scopes: ['contacts:read'],
    full_access: false,
    status: 'active',
    secrets: [{ hint, expires_at: null, last_used_at: change.last_used_at ?? null }],
    created_at: ago(count),
    created_by: ana,
    expires_at: null,
    revoked_at: null,
    last_used_at: null,
    version: 1,
    ...change,
  };
}

export const givenKeys = (): ConsoleKey[] => [
  givenKey({
    name: 'Warehouse sync',
    display: 'pak_live_…a9Kq',
    scopes: ['contacts:read', 'orders:read'],
    last_used_at: ago(0.01),
    created_at: ago(40),
    expires_at: ago(-62),
  }),
  givenKey({
    name: 'Newsletter tool',
    display: 'pak_live_…Zx31',
    scopes: ['contacts:read', 'contacts:write'],
    status: 'rotating',
    secrets: [
      { hint: 'Zx31', expires_at: null, last_used_at: ago(0.05) },
      { hint: 'Qm2p', expires_at: ago(-5), last_used_at: ago(0.5) },
    ],
    last_used_at: ago(0.05),
    created_by: jonas,
    created_at: ago(120),
    version: 2,
  }),
  givenKey({
    name: 'Check-in app',
    display: 'pak_live_…7fQe',
    scopes: ['events:read'],
    last_used_at: ago(0.2),
    created_at: ago(13),
    expires_at: ago(-4),
  }),
  givenKey({
    name: 'Old reporting script',
    display: 'pak_live_…mM0p',
    scopes: [],
    full_access: true,
    last_used_at: ago(140),
    created_at: ago(700),
    created_by: null,
  }),
  givenKey({
    name: 'Set-up of webhooks',
    display: 'pak_live_…tt8B',
    scopes: ['webhooks:manage'],
    status: 'expired',
    secrets: [],
    expires_at: ago(6),
    created_at: ago(100),
  }),
  givenKey({
    name: 'Trial',
    display: 'pak_test_…qq1L',
    status: 'revoked',
    secrets: [],
    revoked_at: ago(3),
    created_at: ago(200),
  }),
];

export function givenEntry(change: Partial<ActivityEntry>, n: number): ActivityEntry {
  return {
    id: `${ago(n)}#x#1`,
    at: ago(n),
    action: 'key.created',
    author: ana,
    key_id: null,
    key_name: null,
    session_id: idOf('ses', 1),
    ip: '203.0.113.7',
    user_agent:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36',
    request_id: '6c7c9e05-0000-4000-8000-000000000000',
    before: null,
    after: null,
    ...change,
  };
}

export const stateOf = ({ name, scopes, full_access, expires_at, secrets }: ConsoleKey) => ({
  name,
  scopes,
  full_access,
  expires_at,
  hints: secrets.map(({ hint }) => hint),
});

export function givenEntries(keys: readonly ConsoleKey[]): ActivityEntry[] {
  const [first, second] = keys as [ConsoleKey, ConsoleKey];
  const about = ({ id, name }: ConsoleKey) => ({ key_id: id, key_name: name });
  return [
    givenEntry({ action: 'session.started' }, 0.01),
    givenEntry(
      {
        action: 'link.created',
        author: { kind: 'product', id: 'product', name: 'The product' },
        session_id: null,
        ip: null,
        user_agent: null,
      },
      0.011,
    ),
    givenEntry(
      {
        action: 'key.rotated',
        author: jonas,
        ...about(second),
        before: { ...stateOf(second), hints: ['Qm2p'] },
        after: stateOf(second),
      },
      2,
    ),
    givenEntry(
      {
        action: 'key.renamed',
        author: { kind: 'operator', id: 'arn:aws:iam::1:role/ops', name: 'ops' },
        ...about(first),
        ip: null,
        user_agent: null,
        before: { ...stateOf(first), name: 'Warehouse' },
        after: stateOf(first),
      },
      5,
    ),
    givenEntry(
      { action: 'key.created', ...about(first), after: { ...stateOf(first), name: 'Warehouse' } },
      40,
    ),
  ];
}

export const givenSubscription = (change: Partial<WebhookSubscription> = {}): WebhookSubscription => {
  count += 1;
  return {
    id: idOf('whs', count),
    url: `https://hooks.example.com/${count}`,
    event_types: ['order.paid', 'order.refunded'],
    description: null,
    payload: 'full',
    status: 'active',
    status_reason: null,
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

export const givenSubscriptions = (): WebhookSubscription[] => [
  givenSubscription({
    url: 'https://shop.example.com/hooks/orders',
    description: 'Books payments in the shop',
  }),
  givenSubscription({
    url: 'https://crm.example.com/in',
    event_types: ['*'],
    health: { consecutive_failures: 7, last_success_at: ago(2), last_failure_at: ago(0.02) },
  }),
  givenSubscription({
    url: 'https://old.example.com/hooks',
    event_types: ['contact.*'],
    status: 'disabled',
    status_reason: 'failing',
    health: { consecutive_failures: 60, last_success_at: ago(30), last_failure_at: ago(1) },
  }),
];

export const givenDelivery = (
  subscription_id: string,
  change: Partial<WebhookDelivery>,
  n: number,
): WebhookDelivery => ({
  id: idOf('dlv', n),
  event_id: idOf('evt', n),
  event_type: 'order.paid',
  subscription_id,
  status: 'succeeded',
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

export const givenDeliveries = (id: string): WebhookDelivery[] => [
  givenDelivery(
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
  givenDelivery(id, {}, 2),
  givenDelivery(
    id,
    {
      status: 'failed',
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
  ...Array.from({ length: 6 }, (_, n) => givenDelivery(id, { event_type: 'order.refunded' }, n + 4)),
];
