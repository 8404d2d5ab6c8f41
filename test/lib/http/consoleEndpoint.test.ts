import { expect, test } from 'vitest';
import { getSession, startSession } from '../../../lib/contract/console/consoleSession.ts';
import type { ConsoleCall } from '../../../lib/http/consoleEndpoint.ts';
import { consoleEndpoint } from '../../../lib/http/consoleEndpoint.ts';
import { consoleEvent, givenSession } from '../../support/console/console.ts';
import { givenAccount } from '../../support/data/given.ts';
import { lambdaContext } from '../../support/http/events.ts';
import { useDivertedLog } from '../../support/run/logLines.ts';

useDivertedLog();

/** What an operation learns of a request that comes with these headers. */
async function originOf(headers: Record<string, string>, context: object = {}) {
  let origin: ConsoleCall<typeof startSession>['origin'] | undefined;
  const handler = consoleEndpoint(startSession, async (call) => {
    ({ origin } = call);
    throw new Error('enough');
  });
  const event = consoleEvent(startSession, { body: { code: 'x'.repeat(43) }, headers });
  Object.assign(event.requestContext, { identity: { sourceIp: '198.51.100.1' } }, context);
  await handler(event, lambdaContext());
  return origin;
}

test.each([
  ['one entry: the address that API Gateway saw', '203.0.113.7', '198.51.100.1'],
  ['two entries: the one before that of CloudFront', '203.0.113.7, 10.0.0.1', '203.0.113.7'],
  ['more entries: what the client claims does not count', '1.2.3.4, 203.0.113.7,10.0.0.1', '203.0.113.7'],
  ['IPv6', '2001:db8::1, 10.0.0.1', '2001:db8::1'],
  ['no address', '<script>, 10.0.0.1', '198.51.100.1'],
  ['nothing', '', '198.51.100.1'],
])('the address of a request with %s', async (_, forwarded, ip) => {
  expect((await originOf({ 'X-Forwarded-For': forwarded }))?.ip).toBe(ip);
});

test('of the browser and of the id of a request, only printable characters are kept, and not too many', async () => {
  const hostile = `\u001b[2J${'x'.repeat(300)}`;
  const origin = await originOf({ 'User-Agent': hostile }, { requestId: `\u202e${'y'.repeat(300)}` });
  expect(origin?.userAgent).toBe(`?[2J${'x'.repeat(196)}`);
  expect(origin?.requestId).toBe(`?${'y'.repeat(127)}`);
  expect((await originOf({ 'User-Agent': ' ' }))?.userAgent).toBeUndefined();
});

test('an operation gets the account, the person and the session of its cookie', async () => {
  const account = givenAccount();
  const { cookie, session } = await givenSession(account);
  let call: ConsoleCall<typeof getSession> | undefined;
  const handler = consoleEndpoint(getSession, async (given) => {
    call = given;
    throw new Error('enough');
  });
  const { statusCode } = await handler(consoleEvent(getSession, { cookie }), lambdaContext());
  expect(statusCode).toBe(500);
  expect(call).toMatchObject({
    account,
    who: { kind: 'user', ...session.actor, sessionId: session.session_id },
  });
});
