import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type {
  FailedRequest,
  FailedRequestsAnswer,
  FailureGroupsAnswer,
  UsageAnswer,
} from '../../../lib/contract/console/usage.ts';

// Usage and failed requests that would take 400 days to come about.

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
export function usageAnswer(query: URLSearchParams, keys: readonly string[]): UsageAnswer {
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

/** Answers a page's requests about usage with these numbers. @returns the queries that were asked, which grow */
export async function answerUsage(page: Page, keys: readonly string[]): Promise<URLSearchParams[]> {
  const asked: URLSearchParams[] = [];
  await page.route(/\/console\/api\/usage/, (route) => {
    const { searchParams } = new URL(route.request().url());
    asked.push(searchParams);
    return route.fulfill({ json: usageAnswer(searchParams, keys) });
  });
  return asked;
}

export const failure = (n: number, key_id: string, change: Partial<FailedRequest> = {}): FailedRequest => ({
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

/** Three pages of failed requests, the second of them empty: a page may have fewer than it could. */
const failures = (key: string): FailedRequest[][] => [
  [
    failure(1, key, {
      operation: 'createContact',
      method: 'POST',
      path: '/contacts',
      status: 400,
      problems: [
        {
          field: 'email',
          message:
            'must be an e-mail address of at most 254 visible characters, without a name or another address beside it',
        },
        { field: 'address.country', message: 'must be a country code of ISO 3166-1, as in DE' },
        { field: null, message: 'is not known here' },
      ],
      message: 'email must be an e-mail address; address.country must be a country code',
    }),
    failure(2, key, { status: 500, message: null }),
  ],
  [],
  [failure(3, key)],
];

/** The failed requests by reason, as if there had been very many. */
function failureGroups(key: string): FailureGroupsAnswer {
  const [refused, failed, ...others] = failures(key).flat();
  const latest = [others[0], refused, failed] as FailedRequest[];
  const counts = [8123, 1870, 7];
  return {
    data: latest.map((one, n) => ({
      id: groupIdOf(one),
      count: counts[n] as number,
      first_at: new Date(Date.now() - 5 * 86_400_000).toISOString(),
      last_at: one.at,
      key_ids: [key],
      latest: one,
    })),
    not_kept: { '4xx': 1204, '5xx': 0 },
    grouped_since: null,
  };
}

const groupIdOf = ({ operation, status }: FailedRequest): string => `${operation}-${status}`.padEnd(22, '_');

/** Answers a page's requests about failed requests with these. */
export async function answerFailures(page: Page, key: string): Promise<URLSearchParams[]> {
  const asked: URLSearchParams[] = [];
  await page.route(/\/console\/api\/failed-requests/, (route) => {
    const { searchParams, pathname } = new URL(route.request().url());
    asked.push(searchParams);
    if (pathname.endsWith('/groups')) return route.fulfill({ json: failureGroups(key) });
    const group = searchParams.get('group');
    const pages = failures(key).map((page) =>
      page.filter((one) => group === null || groupIdOf(one) === group),
    );
    const n = Number(searchParams.get('before') ?? 0);
    const id = searchParams.get('request_id');
    const data = id === null ? pages[n] : pages.flat().filter(({ request_id }) => request_id === id);
    const next_before = id === null && n + 1 < pages.length ? String(n + 1) : null;
    const json: FailedRequestsAnswer = {
      data: data ?? [],
      pagination: { limit: 50, next_before },
      not_kept: { '4xx': id === null ? 1204 : 0, '5xx': 0 },
    };
    return route.fulfill({ json });
  });
  return asked;
}

/** Opens the table of all numbers by operation. It is made anew, and closed, when other numbers arrive. */
export const openNumbers = (page: Page): Promise<void> =>
  expect
    .poll(async () => {
      const closed = page.locator('details.numbers:not([open]) > summary');
      if (await closed.isVisible()) await closed.click();
      return page.getByRole('columnheader', { name: '3 others' }).isVisible();
    })
    .toBe(true);
