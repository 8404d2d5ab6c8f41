import { describe, expect, test } from 'vitest';
import { endSessions } from '../../../lib/console/sessions.ts';
import { endSession } from '../../../lib/contract/console/consoleSession.ts';
import { type AnyConsoleOperation, consoleOperations } from '../../../lib/contract/console/index.ts';
import { resumeAccount, suspendAccount } from '../../../lib/webhooks/receivers/blockedHosts.ts';
import {
  callConsole,
  consoleEvent,
  givenSession,
  handlerOf,
  replyOf,
} from '../../support/console/console.ts';
import { validConsoleRequests } from '../../support/console/requests.ts';
import { changeTimes, consoleStateOf } from '../../support/console/stored.ts';
import { givenAccount, inAnHour } from '../../support/data/given.ts';
import { checkHeaders, type Request } from '../../support/http/api.ts';
import { lambdaContext } from '../../support/http/events.ts';
import { useDivertedLog } from '../../support/run/logLines.ts';
import { sampleOf } from '../../support/run/sample.ts';

useDivertedLog();

const ended = { error: 'Unauthorized', message: 'Your session has ended' };
const onlyOwnPage = {
  error: 'Forbidden',
  message: "Only the console's own page may call this: the header Sec-Fetch-Site must be same-origin",
};

const suspended = {
  error: 'Forbidden',
  message: 'The operator has suspended this account: its keys and its activity can be read, and nothing else',
};

const isOpenWhileSuspended = (id: string): boolean =>
  ['getSession', 'endSession', 'listKeys', 'getKey', 'listActivity'].includes(id);

/** What a browser says of a request that another page makes, and what other clients say. */
const forged: [name: string, site: string | undefined][] = [
  ['another subdomain of the product', 'same-site'],
  ['another site', 'cross-site'],
  ['the address line', 'none'],
  ['a client that is no browser', undefined],
  ['a header without content', ''],
  ['a header in capitals', 'SAME-ORIGIN'],
  ['a list', 'same-origin, same-origin'],
];

/** Sends a valid request with other headers, past the checks of the contract. */
async function send(
  operation: AnyConsoleOperation,
  valid: Request,
  cookie: string,
  headers: object,
  remove?: string,
) {
  const event = consoleEvent(operation, { ...valid, cookie, headers: { ...valid.headers, ...headers } });
  if (remove !== undefined) delete event.multiValueHeaders[remove];
  return replyOf(await (await handlerOf(operation))(event, lambdaContext()));
}

describe.each(consoleOperations.map((operation, turn) => [operation.id, operation, turn] as const))(
  '%s',
  (id, operation, turn) => {
    test('is refused for all but the own page, and nothing happens', async () => {
      const account = givenAccount();
      const valid = await validConsoleRequests[id](account);
      const { cookie } = await givenSession(account);
      const before = await consoleStateOf(account);
      for (const [from, site] of sampleOf(forged, { name: 'forged', count: 2, turn })) {
        const reply = await send(
          operation,
          valid,
          cookie,
          site === undefined ? {} : { 'Sec-Fetch-Site': site },
          site === undefined ? 'Sec-Fetch-Site' : undefined,
        );
        expect([reply.status, reply.body], from).toEqual([403, onlyOwnPage]);
        checkHeaders(reply.headers);
        expect(reply.headers.getSetCookie(), from).toEqual([]);
      }
      expect(await consoleStateOf(account)).toEqual(before);
    });

    if (operation.role === null) return;

    test('is refused without a live session, whatever else is wrong, and nothing happens', async () => {
      const account = givenAccount();
      const valid = await validConsoleRequests[id](account);
      const [idle, old, out, outside] = await Promise.all([1, 2, 3, 4].map(() => givenSession(account)));
      await changeTimes(idle?.cookie as string, 'session', { seen_at: Date.now() - 1_800_000 });
      await changeTimes(old?.cookie as string, 'session', { expires_at: Date.now() });
      await callConsole(endSession, { cookie: out?.cookie });
      await endSessions({ account, actor_id: outside?.session.actor.id }, {}, inAnHour());
      const before = await consoleStateOf(account);
      const cookies = [
        undefined,
        '',
        'x'.repeat(43),
        'x'.repeat(5000),
        idle?.session.hash,
        ...[idle, old, out, outside].map((one) => one?.cookie),
      ];
      for (const cookie of sampleOf(cookies, { name: 'cookies', count: 3, turn }))
        for (const request of [valid, { ...valid, query: { nope: 1 }, body: '{' }]) {
          const reply = await callConsole(operation, { ...request, cookie });
          expect([reply.status, reply.body], cookie).toEqual([401, ended]);
        }
      expect(await consoleStateOf(account)).toEqual(before);
    });

    test('is refused to a page that shows another session than that of the cookie, and nothing happens', async () => {
      const account = givenAccount();
      const valid = await validConsoleRequests[id](account);
      const [mine, other] = [await givenSession(account), await givenSession(account)];
      const before = await consoleStateOf(account);
      for (const shown of [other.session.session_id, '', `${mine.session.session_id} `, 'x'.repeat(5000)]) {
        const reply = await send(operation, valid, mine.cookie, { 'X-Session-Id': shown });
        expect([reply.status, reply.body], shown).toEqual([401, ended]);
      }
      expect(await consoleStateOf(account)).toEqual(before);
      const own = await send(operation, valid, mine.cookie, { 'X-Session-Id': mine.session.session_id });
      expect(own.status).toBe(operation.success.status);
    });

    test('does nothing for a session of another account', async () => {
      const account = givenAccount();
      const valid = await validConsoleRequests[id](account);
      const other = await givenSession(givenAccount());
      const before = await consoleStateOf(account);
      const reply = await callConsole(operation, { ...valid, cookie: other.cookie });
      // Without an id in its path, it is about the account of the session.
      expect(reply.status).toBe(operation.path.includes('{') ? 404 : operation.success.status);
      expect(JSON.stringify(reply.body)).not.toContain(account);
      expect(await consoleStateOf(account)).toEqual(before);
    });

    test(
      operation.role === 'viewer' ? 'is open to a viewer' : 'is closed to a viewer, whatever else is wrong',
      async () => {
        const account = givenAccount();
        const valid = await validConsoleRequests[id](account);
        const { cookie } = await givenSession(account, { role: 'viewer' });
        if (operation.role === 'viewer') {
          expect((await callConsole(operation, { ...valid, cookie })).status).toBe(operation.success.status);
          return;
        }
        const before = await consoleStateOf(account);
        for (const request of [valid, { ...valid, query: { nope: 1 }, body: '{' }]) {
          const reply = await callConsole(operation, { ...request, cookie });
          expect([reply.status, reply.body]).toEqual([
            403,
            { error: 'Forbidden', message: 'Your role in this account may only read' },
          ]);
        }
        expect(await consoleStateOf(account)).toEqual(before);
      },
    );

    test(
      isOpenWhileSuspended(id)
        ? 'is open while the account is suspended'
        : 'is closed while the account is suspended',
      async () => {
        const account = givenAccount();
        const valid = await validConsoleRequests[id](account);
        const { cookie } = await givenSession(account);
        await suspendAccount(account);
        if (isOpenWhileSuspended(id)) {
          expect((await callConsole(operation, { ...valid, cookie })).status).toBe(operation.success.status);
          return;
        }
        const before = await consoleStateOf(account);
        for (const request of [valid, { ...valid, query: { nope: 1 }, body: '{' }]) {
          const reply = await callConsole(operation, { ...request, cookie });
          expect([reply.status, reply.body]).toEqual([403, suspended]);
        }
        expect(await consoleStateOf(account)).toEqual(before);
        await resumeAccount(account);
        expect((await callConsole(operation, { ...valid, cookie })).status).toBe(operation.success.status);
      },
    );

    test('is open to an admin', async () => {
      const account = givenAccount();
      const valid = await validConsoleRequests[id](account);
      const { cookie } = await givenSession(account);
      expect((await callConsole(operation, { ...valid, cookie })).status).toBe(operation.success.status);
    });
  },
);

test('what changes something needs an admin, and what reads does not', () => {
  for (const { id, method, role } of consoleOperations)
    if (id !== 'startSession' && id !== 'endSession')
      expect(role, id).toBe(method === 'GET' ? 'viewer' : 'admin');
});
