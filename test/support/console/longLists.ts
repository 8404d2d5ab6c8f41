import type { Page } from 'playwright-core';
import type { ActivityEntry } from '../../../lib/contract/console/activity.ts';
import { failure } from './cannedUsage.ts';
import { aDelivery } from './cannedWebhooks.ts';

// Lists of several pages. Each entry says at which reading of the list's beginning it was read.

const amount = 120;

const noneLost = { '4xx': 0, '5xx': 0 };

const entry = (n: number, said: string): ActivityEntry => ({
  id: String(n),
  at: '2026-01-01T00:00:00.000Z',
  action: 'session.started',
  author: { kind: 'user', id: 'user-1', name: said },
  person: { id: 'user-1', name: said },
  key_id: null,
  key_name: null,
  subscription_id: null,
  subscription_host: null,
  changed_fields: [],
  session_id: null,
  ip: null,
  user_agent: null,
  request_id: null,
  before: null,
  after: null,
});

/** The lists that are read page by page, and their addresses. */
export const longLists = {
  activity: { view: () => 'activity', path: /\/api\/activity/, one: entry },
  'failed requests': {
    view: () => 'failed-requests?view=requests',
    path: /\/api\/failed-requests\?/,
    one: (n: number, message: string) => failure(n, 'key_000000000000000000000001', { message }),
  },
  deliveries: {
    view: (subscription: string) => `webhooks/${subscription}`,
    path: /\/deliveries\?/,
    one: (n: number, id: string) => aDelivery('', { resource: { type: 'order', id } }, n),
  },
};

/** Answers a page's requests about one of the lists: `before` and `offset` are how many entries the page has. */
export const answerLongList = (page: Page, { path, one }: (typeof longLists)[keyof typeof longLists]) => {
  let readings = 0;
  return page.route(path, (route) => {
    const { searchParams } = new URL(route.request().url());
    const limit = Number(searchParams.get('limit'));
    const offset = Number(searchParams.get('offset') ?? searchParams.get('before') ?? 0);
    if (offset === 0) readings += 1;
    const end = Math.min(amount, offset + limit);
    const data = Array.from({ length: end - offset }, (_, n) => one(offset + n + 1, `Reading ${readings}`));
    const next_before = end < amount ? String(end) : null;
    const pagination = { limit, offset, total: amount, next_before };
    return route.fulfill({ json: { data, has_more: end < amount, pagination, not_kept: noneLost } });
  });
};
