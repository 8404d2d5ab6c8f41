import { join } from 'node:path';
import { createLink } from '../../lib/console/links.ts';
import { type StartedSession, startSession } from '../../lib/console/startSession.ts';
import { type AnyConsoleOperation, consoleFileOf } from '../../lib/contract/console/index.ts';
import { createKey, revokeKey, rotateKey, updateKey } from '../../lib/contract/console/keys.ts';
import { endSession } from '../../lib/contract/console/session.ts';
import type { Request } from '../support/http/api.ts';
import { gatewayEvent, lambdaContext } from '../support/http/events.ts';
import { asFunction } from '../support/permissions/asFunction.ts';
import { root } from '../support/stack/stackProcess.ts';
import { account } from './content.ts';
import type { FixedClock } from './fixed.ts';

/** The texts of a session and of an unused link, which the tables do not have. */
export interface Signed {
  cookie: string;
  code: string;
}

/** The order of two entries of the same moment would not be fixed. */
const momentMs = 1000;

/** Somebody makes and changes keys in the console. @returns what is still good: a session and a link */
export async function useConsole(clock: FixedClock): Promise<Signed> {
  const { cookie } = await signIn(clock);
  // A session notes its use after a minute.
  clock.pass(120_000);
  let sent = 0;
  const send = (operation: AnyConsoleOperation, { headers, ...request }: Request = {}) => {
    clock.pass(momentMs);
    return answerOf(operation, `request-${++sent}`, {
      ...request,
      headers: { 'Sec-Fetch-Site': 'same-origin', Cookie: `__Host-console=${cookie}`, ...headers },
    });
  };
  const body = { name: 'From the console', scopes: ['orders:read'], expires_at: '2027-03-01T00:00:00Z' };
  const created = await send(createKey, {
    headers: {
      'Idempotency-Key': 'Create',
      'User-Agent': 'A browser',
      'X-Forwarded-For': '192.0.2.1, 192.0.2.2',
    },
    body,
  });
  const params = { keyId: created.key.id };
  const again = { params, headers: { 'Idempotency-Key': 'Rotate' }, body: { overlap_seconds: 86_400 } };
  await send(rotateKey, again);
  await send(updateKey, { params, body: { full_access: true } });
  await send(revokeKey, { params });
  await send(endSession);
  const { cookie: left } = await signIn(clock);
  return { cookie: left, code: await newCode(clock) };
}

async function newCode(clock: FixedClock): Promise<string> {
  clock.pass(momentMs);
  const actor = { id: 'user-1', name: 'Jane Example' };
  const input = {
    account,
    account_name: 'Acme',
    actor,
    role: 'admin',
    return_url: 'https://app.example.com/',
  };
  const { url } = await createLink(input, { requestId: 'request' });
  return url.split('#code=')[1] as string;
}

async function signIn(clock: FixedClock): Promise<StartedSession> {
  const code = await newCode(clock);
  clock.pass(momentMs);
  return startSession(code, { before: undefined, origin: {}, deadline: Date.now() + 10_000 });
}

/** The body of a successful answer. @throws Error for any other answer */
async function answerOf(operation: AnyConsoleOperation, requestId: string, input: Request) {
  const file = await import(join(root, consoleFileOf(operation)));
  const handler = asFunction(operation.id, file.handler);
  const event = gatewayEvent(operation, null, input);
  event.requestContext.requestId = requestId;
  const { statusCode, body } = await handler(event, lambdaContext(10_000));
  if (statusCode !== operation.success.status) throw new Error(`${operation.id} ${statusCode}: ${body}`);
  return body === '' ? undefined : JSON.parse(body);
}
