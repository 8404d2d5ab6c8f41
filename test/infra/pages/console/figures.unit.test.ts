import { describe, expect, test } from 'vitest';
import { pageOf } from '../../../../infra/pages/console/failures/referencePage.ts';
import { asked, ranges } from '../../../../infra/pages/console/usage/chosenRange.ts';
import { heightsOf, summedBy } from '../../../../infra/pages/console/usage/geometry.ts';
import { changeOf, seriesOf, sumsOf, totalsOf } from '../../../../infra/pages/console/usage/series.ts';
import type { UsageAnswer } from '../../../../lib/contract/console/consoleUsage.ts';
import { partsMax } from '../../../../lib/schemas/usageFields.ts';

describe('a range', () => {
  const now = Date.parse('2026-11-22T16:20:00.000Z');

  test.each([
    ['24h', '2026-11-21T17:00:00.000Z', '2026-11-22T17:00:00.000Z', 'hour'],
    ['7d', '2026-11-15T17:00:00.000Z', '2026-11-22T17:00:00.000Z', 'hour'],
    ['30d', '2026-10-24T00:00:00.000Z', '2026-11-23T00:00:00.000Z', 'day'],
    ['400d', '2025-10-19T00:00:00.000Z', '2026-11-23T00:00:00.000Z', 'day'],
  ] as const)(
    'of %s is of whole parts of time, as many as the API takes, and ends with this one',
    (name, from, to, resolution) => {
      expect(asked(name, 0, now)).toEqual({ from, to, resolution });
      expect(asked(name, 1, now).to).toBe(from);
      expect(ranges[name].count).toBeLessThanOrEqual(partsMax[resolution]);
    },
  );
});

const group = (change: Partial<UsageAnswer['groups'][number]>, ...requests: number[]) => ({
  status_class: null,
  key_id: null,
  operation: null,
  requests,
  total: requests.reduce((sum, one) => sum + one, 0),
  failed: 0,
  p95_ms: null,
  ...change,
});

const nameOf = (id: string) => `name of ${id}`;

describe('the series of a chart', () => {
  test('are the groups, and the smaller ones of many are one, with all their requests', () => {
    const groups = Array.from({ length: 8 }, (_, n) => group({ operation: `operation${n}` }, n, 10 * n));
    const series = seriesOf({ groups }, nameOf);
    expect(series.map(({ name }) => name)).toEqual([
      ...[0, 1, 2, 3, 4].map((n) => `name of operation${n}`),
      '3 others',
    ]);
    expect(series.at(-1)?.requests).toEqual([18, 180]);
    expect(totalsOf(series)).toEqual([28, 280]);
  });

  test('are summed by neighbours without losing any', () => {
    expect(summedBy(1, [1, 2, 3])).toEqual([1, 2, 3]);
    expect(summedBy(2, [1, 2, 3, 4, 5])).toEqual([3, 7, 5]);
  });
});

test('the four numbers of a range are those of all statuses, each with its change', () => {
  const groups = [
    group({ status_class: '2xx' }, 90),
    group({ status_class: '4xx' }, 6, 2),
    group({ status_class: '5xx' }, 2),
  ];
  expect(sumsOf({ groups, p95_ms: 12 })).toEqual({ requests: 100, failed: 10, '5xx': 2, p95: 12 });
  // The last hour or day is not over.
  expect(sumsOf({ groups, p95_ms: 12 }, -1)).toEqual({ requests: 6, failed: 6, '5xx': 0, p95: 12 });
  expect([changeOf(112, 100), changeOf(50, 100), changeOf(7, 7), changeOf(1, 0)]).toEqual([
    '+12 %',
    '−50 %',
    '±0 %',
    undefined,
  ]);
});

describe('the parts of a bar', () => {
  test('are as high as their numbers, and a few among thousands are still seen', () => {
    expect(heightsOf([500, 250, 0], 1000, 200)).toEqual([100, 50, 0]);
    expect(heightsOf([4000, 1, 0], 5000, 200)).toEqual([160, 3, 0]);
  });
});

describe('the way to the reference', () => {
  const create = { operation: 'createContact', method: 'POST', path: '/contacts' };
  const list = { operation: 'listContacts', method: 'GET', path: '/contacts' };
  const batch = { operation: 'batchUpsertContacts', method: 'POST', path: '/contacts/batch' };
  const upsert = { operation: 'upsertContact', method: 'PUT', path: '/contacts/by-external-id/{externalId}' };
  const older = { operation: 'other', method: 'GET', path: '/gone' };

  test.each([
    [create, null, 'createContact.html'],
    [create, 'email', 'createContact.html#body.email'],
    [create, 'address.country', 'createContact.html#body.address'],
    [batch, 'contacts[3].email', 'batchUpsertContacts.html#body.contacts'],
    [create, 'Idempotency-Key', 'createContact.html'],
    [create, '*', 'createContact.html'],
    [list, 'limit', 'listContacts.html#query.limit'],
    [upsert, 'externalId', 'upsertContact.html#path.externalId'],
    [upsert, 'email', 'upsertContact.html#body.email'],
    [older, 'limit', 'index.html'],
  ])('of %o leads from %s to %s', (request, field, address) => {
    expect(pageOf(request, field)).toBe(address);
  });
});
