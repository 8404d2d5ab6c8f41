import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '../../../functions/authorizer.ts';
import { getKey, listKeys } from '../../../lib/contract/console/consoleKeys.ts';
import {
  getUsage,
  groupFailedRequests,
  listFailedRequests,
} from '../../../lib/contract/console/consoleUsage.ts';
import { type ApiKey, rotated } from '../../../lib/keys/key.ts';
import { saveKey } from '../../../lib/keys/storedKeys.ts';
import { callConsole, givenSession } from '../../support/console/console.ts';
import { aTester, givenAccount, givenKey } from '../../support/data/given.ts';
import { authorizerEvent, lambdaContext } from '../../support/http/events.ts';
import { asFunction } from '../../support/permissions/asFunction.ts';
import { useDivertedLog, withLog } from '../../support/run/logLines.ts';
import {
  accessLine,
  countRequests,
  givenUse,
  type LoggedRequest,
  logsEvent,
} from '../../support/usage/logs.ts';

useDivertedLog();

const hourMs = 3_600_000;

let account: string;
let cookie: string;
beforeEach(async () => {
  account = givenAccount();
  ({ cookie } = await givenSession(account, { role: 'viewer' }));
});

const usage = async (query = {}) => (await callConsole(getUsage, { cookie, query })).body;
const failures = async (query = {}) => (await callConsole(listFailedRequests, { cookie, query })).body;

const groups = async (query = {}) => (await callConsole(groupFailedRequests, { cookie, query })).body;

const [one, two] = ['key_111111111111111111111111', 'key_222222222222222222222222'];

const given = (...requests: Partial<LoggedRequest>[]) =>
  countRequests(
    logsEvent(requests.map((request) => accessLine({ account, key: one, at: new Date(), ...request }))),
    lambdaContext(60_000),
  );

describe('usage', () => {
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 11);
  const at = (hour: string) => new Date(yesterday + hour);
  const from = at('09:00:00Z').toISOString();
  const range = { from, to: at('12:00:00Z').toISOString() };

  beforeEach(() =>
    given(
      { at: at('09:59:59.999Z'), ms: 10 },
      { at: at('10:00:00.000Z'), ms: 20 },
      { at: at('10:30:00Z'), key: two, method: 'POST', resource: '/contacts', status: 422, ms: 31 },
      { at: at('11:30:00Z'), key: two, status: 500, ms: 40 },
      { at: at('12:00:00Z') },
      { at: at('08:59:59.999Z') },
    ),
  );

  test('by key and by operation: those with requests, the largest first', async () => {
    const byKey = await usage({ ...range, group_by: 'key' });
    expect(byKey.groups.map(({ key_id, total }) => [key_id, total])).toEqual([
      [one, 2],
      [two, 2],
    ]);
    const byOperation = await usage({ ...range, group_by: 'operation' });
    expect(byOperation.groups.map(({ operation, total }) => [operation, total])).toEqual([
      ['listContacts', 3],
      ['createContact', 1],
    ]);
  });

  test('of one key, and of one operation', async () => {
    const totals = async (query: object) =>
      (await usage({ ...range, ...query })).groups.map(({ total }) => total);
    expect(await totals({ key_id: two })).toEqual([0, 1, 1]);
    expect(await totals({ operation: 'createContact' })).toEqual([0, 1, 0]);
    expect(await totals({ key_id: one, operation: 'createContact' })).toEqual([0, 0, 0]);
  });

  test('of another account is not there, also by the id of its key', async () => {
    const other = await givenSession(givenAccount());
    for (const query of [range, { ...range, key_id: one }]) {
      const { body } = await callConsole(getUsage, { cookie: other.cookie, query });
      expect(body.groups.map(({ total }) => total)).toEqual([0, 0, 0]);
    }
  });

  test('is of whole hours or days, and of the last 24 hours when nothing else is said', async () => {
    const uneven = { from: at('09:30:00Z').toISOString(), to: at('11:00:00.001Z').toISOString() };
    expect(await usage(uneven)).toMatchObject(range);
    const week = await usage({ from: '2026-03-01T10:00:00Z' });
    expect([week.times.length, week.to]).toEqual([7 * 24, '2026-03-08T10:00:00.000Z']);
    const asked = Date.now();
    const { times } = await usage();
    expect(times).toHaveLength(24);
    expect(asked - Date.parse(times.at(-1) as string)).toBeLessThan(hourMs);
    const days = await usage({ resolution: 'day' });
    expect(days.times).toHaveLength(30);
    const day = days.times.indexOf(`${yesterday}00:00:00.000Z`);
    // The request before nine o'clock was on the same day, as was the one at noon.
    expect(days.groups.map(({ requests }) => requests[day])).toEqual([4, 1, 1]);
  });

  test.each([
    [{ from: '2026-03-01T10:00:00Z', to: '2026-03-01T10:00:00Z' }, 'from must be before to'],
    [{ from: '2999-01-01T00:00:00Z' }, 'from must be before to'],
    [{ from: '2026-03-01T00:00:00Z', to: '2026-03-08T00:00:01Z' }, 'at most 7 days apart'],
    [{ resolution: 'day', from: '2025-01-01T00:00:00Z', to: '2026-03-01T00:00:00Z' }, '400 days'],
    [{ to: '9999-12-31T23:59:59Z', from: '9999-12-31T12:00:00Z' }, 'from must be before to'],
  ])('of %j is refused', async (query, message) => {
    const { status, body } = await callConsole(getUsage, { cookie, query });
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe('failed requests', () => {
  // From one time: how long a test takes is a matter of the machine.
  const began = Date.now();
  const ago = (ms: number) => new Date(began - ms);

  beforeEach(() =>
    given(
      { at: ago(5000), status: 404, ms: 7 },
      { at: ago(4000), status: 200 },
      { at: ago(3000), status: 500, key: two },
      { at: ago(2000), status: 400, key: two, resource: '/contacts/{contactId}' },
    ),
  );

  test('are listed newest first, those that succeeded are not', async () => {
    const { data, pagination, not_kept } = await failures();
    expect(data.map(({ status, operation }) => [status, operation])).toEqual([
      [400, 'getContact'],
      [500, 'listContacts'],
      [404, 'listContacts'],
    ]);
    expect(data[2]).toMatchObject({
      key_id: one,
      path: '/contacts',
      method: 'GET',
      duration_ms: 7,
      message: null,
    });
    expect([pagination, not_kept]).toEqual([
      { limit: 50, next_before: null },
      { '4xx': 0, '5xx': 0 },
    ]);
  });

  test.each([
    [{ key_id: two }, [400, 500]],
    [{ status_class: '4xx' }, [400, 404]],
    [{ status_class: '5xx', key_id: one }, []],
  ])('with %j', async (query, statuses) => {
    expect((await failures(query)).data.map(({ status }) => status)).toEqual(statuses);
  });

  test('are grouped by operation, status and reason, the last failure first', async () => {
    await given({ at: ago(9000), status: 404, key: two }, { at: ago(4500), status: 404 });
    const { data, not_kept, grouped_since } = await groups();
    expect([not_kept, grouped_since]).toEqual([{ '4xx': 0, '5xx': 0 }, null]);
    expect(data.map(({ count, latest: { operation, status } }) => [count, operation, status])).toEqual([
      [1, 'getContact', 400],
      [1, 'listContacts', 500],
      [3, 'listContacts', 404],
    ]);
    const group = data[2];
    const { data: listed } = await failures({ group: group?.id });
    expect(listed).toHaveLength(3);
    expect(group).toMatchObject({
      first_at: listed[2]?.at,
      last_at: listed[0]?.at,
      latest: listed[0],
      key_ids: [one, two],
    });
    expect((await groups({ key_id: two, status_class: '4xx' })).data.map(({ count }) => count)).toEqual([
      1, 1,
    ]);
  });

  test('of another account are not there', async () => {
    const other = await givenSession(givenAccount());
    const { body } = await callConsole(listFailedRequests, { cookie: other.cookie, query: { key_id: one } });
    expect(body.data).toEqual([]);
    const grouped = await callConsole(groupFailedRequests, { cookie: other.cookie });
    expect(grouped.body.data).toEqual([]);
  });
});

const authorizer = asFunction('authorizer', handler);

describe('a request whose key has ended', () => {
  const hourAgo = new Date(Date.now() - hourMs).toISOString();
  const endings: [string, (key: ApiKey) => ApiKey, string][] = [
    ['revoked', (key) => ({ ...key, revokedAt: hourAgo }), 'This API key was revoked'],
    ['expired', (key) => ({ ...key, expiresAt: hourAgo }), 'This API key has expired'],
    [
      'given a new secret',
      (key) => ({ ...key, secrets: key.secrets.map((secret) => ({ ...secret, expiresAt: hourAgo })) }),
      'This secret of the API key was replaced, and its overlap has ended',
    ],
  ];

  test.each(endings)('is listed when it was %s, is counted, and is no use', async (_, end, message) => {
    const { key, text } = await givenKey(account);
    const used = new Date(Math.floor(Date.now() / 60_000 - 2 * 24 * 60) * 60_000);
    await givenUse(key, used, 0);
    await saveKey({ ...end(key), revision: 2 }, key, aTester);
    const asked = await withLog(() =>
      authorizer(authorizerEvent({ 'X-Api-Key': [text] })).catch((error) => String(error)),
    );
    expect(asked.result).toBe('Error: Unauthorized');
    await countRequests(logsEvent(asked.text.trim().split('\n')), lambdaContext(60_000));
    const { data } = await failures({ key_id: key.id });
    expect(data).toMatchObject([{ status: 401, operation: 'getContact', message }]);
    expect((await usage({ key_id: key.id })).groups.map(({ total }) => total)).toEqual([0, 1, 0]);
    const { body: shown } = await callConsole(getKey, { cookie, params: { keyId: key.id } });
    expect([shown.requests_24h, Date.parse(shown.last_used_at as string)]).toEqual([1, used.getTime()]);
  });

  test('counts for its account although it has never worked', async () => {
    const { key, text } = await givenKey(account, [], { expiresAt: hourAgo });
    const asked = await withLog(() =>
      authorizer(authorizerEvent({ 'X-Api-Key': [text] })).catch((error) => String(error)),
    );
    await countRequests(logsEvent(asked.text.trim().split('\n')), lambdaContext(60_000));
    const { groups } = await usage({ group_by: 'key' });
    expect(groups).toMatchObject([{ key_id: key.id, total: 1, failed: 1 }]);
    const { body: shown } = await callConsole(getKey, { cookie, params: { keyId: key.id } });
    expect(shown).toMatchObject({ requests_24h: 1, failed_24h: 1, last_used_at: null });
  });
});

describe('keys', () => {
  const shown = async ({ id }: ApiKey) => (await callConsole(getKey, { cookie, params: { keyId: id } })).body;

  test('have the requests of 24 hours, and the minute in which each secret was last used', async () => {
    const { key: first } = await givenKey(account);
    const { key } = rotated(first, 'test', hourMs, new Date());
    await saveKey(key, first, aTester);
    const minuteAgo = (minutes: number) => new Date(Math.floor(Date.now() / 60_000 - minutes) * 60_000);
    const older = minuteAgo(3 * 24 * 60);
    await givenUse(key, older, 1);
    await givenUse(key, new Date(older.getTime() - 61_000), 1);
    for (const minutes of [3, 2, 2]) await givenUse(key, minuteAgo(minutes), 0);
    const now = minuteAgo(2).toISOString();
    const view = {
      requests_24h: 3,
      last_used_at: now,
      secrets: [{ last_used_at: now }, { last_used_at: older.toISOString() }],
    };
    expect(await shown(key)).toMatchObject(view);
    const { body } = await callConsole(listKeys, { cookie });
    expect(body.data).toMatchObject([view]);
  });
});
