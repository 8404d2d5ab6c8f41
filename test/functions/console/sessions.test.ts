import type { Context } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as createConsoleLinkHandler } from '../../../functions/console/createConsoleLink.ts';
import { handler as endConsoleSessionsHandler } from '../../../functions/console/endConsoleSessions.ts';
import { readSession, secretTextHash } from '../../../lib/console/sessions.ts';
import { listKeys } from '../../../lib/contract/console/consoleKeys.ts';
import { endSession, getSession, startSession } from '../../../lib/contract/console/consoleSession.ts';
import { env, required } from '../../../lib/env.ts';
import { suspendAccount } from '../../../lib/webhooks/receivers/blockedHosts.ts';
import { aPerson, callConsole, givenCode, givenSession } from '../../support/console/console.ts';
import { changeTimes, entriesOf, pointersOf } from '../../support/console/stored.ts';
import { givenAccount } from '../../support/data/given.ts';
import { onWire } from '../../support/faults/wire.ts';
import { lambdaContext } from '../../support/http/events.ts';
import { asFunction } from '../../support/permissions/asFunction.ts';
import { withLog } from '../../support/run/logLines.ts';

const createConsoleLink = asFunction('createConsoleLink', createConsoleLinkHandler);
const endConsoleSessions = asFunction('endConsoleSessions', endConsoleSessionsHandler);

const invocation = (): Context => ({ ...lambdaContext(), awsRequestId: 'request-1' });
const link = (input: unknown) => createConsoleLink(input, invocation());
const end = (input: unknown) => endConsoleSessions(input, invocation());
const minuteMs = 60_000;

let account: string;
afterEach(() => vi.unstubAllEnvs());
beforeEach(() => {
  account = givenAccount();
});

function expectBetween(least: number, value: number, most: number): void {
  expect(value).toBeGreaterThanOrEqual(least);
  expect(value).toBeLessThanOrEqual(most);
}

const cookieIn = (headers: Headers): string =>
  /^__Host-console=([^;]*)/.exec(headers.getSetCookie()[0] ?? '')?.[1] ?? '';

describe('a link', () => {
  const input = () => ({
    account,
    account_name: 'Acme',
    actor: aPerson,
    role: 'viewer',
    return_url: 'https://app.example.com/',
  });

  test('starts a session of its person, role and account, with a cookie that no script and no other site can use', async () => {
    const asked = Date.now();
    const { url, expires_at } = await link(input());
    const [, base, code] = /^(.*)#code=([A-Za-z0-9_-]{43})$/.exec(url) ?? [];
    expect(base).toBe(required(env.consoleUrl));
    expectBetween(asked + minuteMs, Date.parse(expires_at), Date.now() + minuteMs);
    const { status, body, headers } = await callConsole(startSession, { body: { code } });
    expect(status).toBe(201);
    expect(body).toEqual({
      session_id: expect.stringMatching(/^ses_[0-9a-z]{24}$/),
      account,
      account_name: 'Acme',
      actor: aPerson,
      role: 'viewer',
      return_url: 'https://app.example.com/',
      renew_url: null,
      expires_at: expect.any(String),
      idle_seconds: 1800,
      api_url: required(env.apiUrl),
      reference_url: null,
      suspended: false,
    });
    const longest = 8 * 60 * minuteMs;
    expectBetween(asked + longest, Date.parse(body.expires_at), Date.now() + longest);
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-console=[A-Za-z0-9_-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/),
    ]);
    const shown = await callConsole(getSession, { cookie: cookieIn(headers) });
    expect(shown.body).toEqual(body);
    expect(shown.headers.getSetCookie()).toEqual([]);
  });

  test('and its session are recorded with the person, and stored without their secrets', async () => {
    const { url } = await link(input());
    const code = url.split('#code=')[1] as string;
    const headers = { 'User-Agent': 'A browser', 'X-Forwarded-For': '1.2.3.4, 203.0.113.7, 10.0.0.1' };
    const { headers: answered } = await callConsole(startSession, { body: { code }, headers });
    const entries = await entriesOf(account);
    expect(entries.map(({ action, author, person }) => [action, author, person])).toEqual([
      ['link.created', { kind: 'product', ...aPerson }, aPerson],
      ['session.started', { kind: 'user', ...aPerson }, aPerson],
    ]);
    expect(entries[1]).toMatchObject({
      session_id: expect.stringMatching(/^ses_[0-9a-z]{24}$/),
      ip: '203.0.113.7',
      user_agent: 'A browser',
      request_id: expect.any(String),
      key_id: null,
    });
    const stored = JSON.stringify([
      await pointersOf(account),
      entries,
      await readSession(secretTextHash(cookieIn(answered))),
    ]);
    expect(stored).not.toContain(code);
    expect(stored).not.toContain(cookieIn(answered));
  });

  test('of another person or account ends the session of a browser only when the request says so', async () => {
    const { cookie } = await givenSession(account);
    const others = [
      await givenCode(givenAccount()),
      await givenCode(account, { actor: { id: 'user-other', name: 'Other' } }),
    ];
    for (const code of others) {
      const { status, body, headers } = await callConsole(startSession, { body: { code }, cookie });
      expect([status, body.message]).toEqual([
        409,
        'Jane Canary is signed in for Canary Ltd in this browser',
      ]);
      expect(headers.getSetCookie()).toEqual([]);
      expect((await callConsole(getSession, { cookie })).status).toBe(200);
    }
    const [code] = others;
    expect((await callConsole(startSession, { body: { code, replace: true }, cookie })).status).toBe(201);
    expect((await callConsole(getSession, { cookie })).status).toBe(401);
    const again = await givenSession(account);
    const same = { body: { code: await givenCode(account, { role: 'viewer' }) }, cookie: again.cookie };
    expect((await callConsole(startSession, same)).status).toBe(201);
  });

  test('works once', async () => {
    const code = await givenCode(account);
    expect((await callConsole(startSession, { body: { code } })).status).toBe(201);
    const { status, body, headers } = await callConsole(startSession, { body: { code } });
    expect([status, body.message]).toEqual([401, 'This link was used or is too old']);
    expect(headers.getSetCookie()).toEqual([]);
    expect(await pointersOf(account)).toHaveLength(1);
  });

  test('does not work after its minute, though DynamoDB has not removed it yet', async () => {
    const code = await givenCode(account);
    await changeTimes(code, 'code', { expires_at: Date.now() - 1 });
    expect((await callConsole(startSession, { body: { code } })).status).toBe(401);
    expect((await entriesOf(account)).map(({ action }) => action)).toEqual(['link.created']);
  });

  test('ends the session that the browser had before, also that of another account', async () => {
    const other = givenAccount();
    const before = await givenSession(other);
    const code = await givenCode(account);
    const body = { code, replace: true };
    const { headers } = await callConsole(startSession, { cookie: before.cookie, body });
    expect((await callConsole(getSession, { cookie: before.cookie })).status).toBe(401);
    expect((await callConsole(getSession, { cookie: cookieIn(headers) })).status).toBe(200);
    expect((await entriesOf(other)).at(-1)).toMatchObject({
      action: 'session.ended',
      session_id: before.session.session_id,
    });
  });

  test('with wrong input is not made, and the error says what is allowed', async () => {
    const wrong: [object, RegExp][] = [
      [{ account: 'a#b' }, /^account must be an account/],
      [{ role: 'owner' }, /^role must be one of viewer, admin$/],
      [{ actor: { id: '', name: 'Jane' } }, /^actor\.id must be a string of 1 to 200/],
      [{ actor: { id: 'x'.repeat(201), name: 'Jane' } }, /^actor\.id must/],
      [{ actor: undefined }, /^actor is required/],
      [{ return_url: 'javascript:alert(1)' }, /^return_url must be an http or https URL/],
      [{ email: 'jane' }, /^email is not known here/],
    ];
    for (const [more, message] of wrong)
      await expect(link({ ...input(), ...more })).rejects.toMatchObject({
        name: 'InputError',
        message: expect.stringMatching(message),
      });
    for (const nothing of [null, undefined, 'account', [], 1])
      await expect(link(nothing)).rejects.toMatchObject({ name: 'InputError' });
    expect(await entriesOf(account)).toEqual([]);
  });

  test('leaves neither its code nor a name in the log', async () => {
    const { result, lines } = await withLog(() => link(input()));
    const text = JSON.stringify(lines);
    expect(lines.at(-1)).toMatchObject({ operation: 'createConsoleLink', outcome: 'succeeded' });
    for (const secret of [result.url.split('=')[1] as string, 'Canary']) expect(text).not.toContain(secret);
  });
});

describe('a session', () => {
  test('says that the keys of its account are suspended', async () => {
    const { cookie } = await givenSession(account);
    await suspendAccount(account);
    expect((await callConsole(getSession, { cookie })).body.suspended).toBe(true);
  });

  test('ends after half an hour without a request, and after eight hours with requests', async () => {
    for (const times of [{ seen_at: Date.now() - 30 * minuteMs }, { expires_at: Date.now() }]) {
      const { cookie } = await givenSession(account);
      await changeTimes(cookie, 'session', times);
      const { status, body } = await callConsole(getSession, { cookie });
      expect([status, body.message]).toEqual([401, 'Your session has ended']);
    }
  });

  test('goes on while it is used, which is noted once a minute', async () => {
    const { cookie, session } = await givenSession(account);
    const seen = async () => (await readSession(session.hash))?.seen_at as number;
    await callConsole(getSession, { cookie });
    expect(await seen()).toBe(session.seen_at);
    await changeTimes(cookie, 'session', { seen_at: Date.now() - 29 * minuteMs });
    const used = Date.now();
    expect((await callConsole(getSession, { cookie })).status).toBe(200);
    expectBetween(used, await seen(), Date.now());
  });

  test('ends when its person signs out, with its cookie', async () => {
    const { cookie, session } = await givenSession(account);
    const { status, headers } = await callConsole(endSession, { cookie });
    expect(status).toBe(204);
    expect(headers.getSetCookie()).toEqual([
      '__Host-console=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0',
    ]);
    expect((await callConsole(listKeys, { cookie })).status).toBe(401);
    expect(await pointersOf(account)).toEqual([]);
    expect((await entriesOf(account)).at(-1)).toMatchObject({
      action: 'session.ended',
      author: { kind: 'user', ...aPerson },
      session_id: session.session_id,
    });
  });

  test('is not found by two different cookies, because somebody else has set one of them', async () => {
    const [{ cookie }, other] = await Promise.all([givenSession(account), givenSession(givenAccount())]);
    const both = { headers: { Cookie: `__Host-console=${cookie}; __Host-console=${other.cookie}` } };
    expect((await callConsole(getSession, both)).status).toBe(401);
    const twice = { headers: { Cookie: `__Host-console=${cookie}; a=b; __Host-console=${cookie}` } };
    expect((await callConsole(getSession, twice)).status).toBe(200);
  });
});

describe('endConsoleSessions', () => {
  const other = { id: 'user-other', name: 'Other Canary' };

  test('ends the sessions and unused links of an account, and of no other', async () => {
    const foreign = await givenSession(givenAccount());
    const mine = [await givenSession(account), await givenSession(account, { actor: other })];
    const code = await givenCode(account);
    expect(await end({ account })).toEqual({ ended: 3 });
    for (const { cookie } of mine) expect((await callConsole(getSession, { cookie })).status).toBe(401);
    expect((await callConsole(startSession, { body: { code } })).status).toBe(401);
    expect((await callConsole(getSession, { cookie: foreign.cookie })).status).toBe(200);
    expect(await pointersOf(account)).toEqual([]);
    const ended = (await entriesOf(account)).filter(({ action }) => action === 'session.ended');
    expect(ended.map(({ author, person }) => [author, person])).toEqual(
      expect.arrayContaining([
        [{ kind: 'product', ...aPerson }, aPerson],
        [{ kind: 'product', ...other }, other],
      ]),
    );
    expect(await end({ account })).toEqual({ ended: 0 });
  });

  test('ends many at once: one after the other, they could take longer than the function has', async () => {
    for (let i = 0; i < 5; i++) await givenCode(account);
    let underWay = 0;
    const all = Promise.withResolvers<void>();
    const undo = onWire(async ({ name }, send) => {
      if (name !== 'TransactWriteItems') return send();
      if (++underWay === 5) all.resolve();
      // The first ends only when all have begun, or never would.
      const timer = setTimeout(() => all.reject(new Error(`only ${underWay} at once`)), 10_000);
      await all.promise.finally(() => clearTimeout(timer));
      return send();
    });
    expect(await end({ account })).toEqual({ ended: 5 });
    undo();
  });

  test('with wrong input ends nothing, and the error says what is allowed', async () => {
    const { cookie } = await givenSession(account);
    for (const wrong of [{}, { account: '' }, { account, actor_id: '' }, { account, actor: 'x' }, null])
      await expect(end(wrong)).rejects.toMatchObject({ name: 'InputError' });
    expect((await callConsole(getSession, { cookie })).status).toBe(200);
  });
});
