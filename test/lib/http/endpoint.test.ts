import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { notFound } from '../../../lib/errors/apiError.ts';
import { endpoint } from '../../../lib/http/endpoint.ts';
import { createContact, getContact, listContacts } from '../../../lib/resources/contacts.ts';
import { killedByThePlatform } from '../../support/faults/platform.ts';
import { fullAccess, gatewayEvent, lambdaContext } from '../../support/http/events.ts';
import { withLog } from '../../support/run/logLines.ts';

const event = (authorizer: unknown = fullAccess('a')) =>
  gatewayEvent(getContact, authorizer, { params: { contactId: 'con_1' } });
const failing = (error: unknown) => endpoint(getContact, () => Promise.reject(error));

describe('an error of ours', () => {
  test.each([
    ['an Error', new Error('password=hunter2 at 10.0.0.1')],
    ['an error with a cause', new Error('outer', { cause: new Error('inner') })],
    ['an error that claims a status', Object.assign(new Error('teapot'), { statusCode: 418, expose: true })],
    ['a text', 'just a text'],
    ['nothing', undefined],
    ['null', null],
  ])('%s becomes a 500 that shows nothing of it, and is in the log', async (_, error) => {
    const request = event();
    const { result, lines } = await withLog(() => failing(error)(request, lambdaContext()));
    expect(result.statusCode).toBe(500);
    expect(JSON.parse(result.body)).toEqual({
      error: 'Internal Server Error',
      message: `Something went wrong on our side; the request id is ${request.requestContext.requestId}`,
    });
    expect(result.headers).toMatchObject({
      'Content-Type': 'application/json',
      'X-Request-Id': request.requestContext.requestId,
    });
    expect(lines[0]).toMatchObject({
      level: 'ERROR',
      message: 'a request failed',
      request_id: request.requestContext.requestId,
    });
    expect(lines[1]).toMatchObject({ message: 'request', status: 500 });
  });

  test('an operation that takes too long is answered before the platform ends it', async () => {
    const slow = endpoint(getContact, () => sleep(5000) as never);
    const { result } = await withLog(() =>
      Promise.race([slow(event(), lambdaContext(900)), killedByThePlatform(900)]),
    );
    expect(result.statusCode).toBe(500);
  });
});

describe('an error for the client', () => {
  test('is answered with its status and message', async () => {
    const { result, lines } = await withLog(() =>
      failing(notFound('contact', 'con_1'))(event(), lambdaContext()),
    );
    expect(result.statusCode).toBe(404);
    expect(JSON.parse(result.body)).toEqual({ error: 'Not Found', message: 'No contact has the id "con_1"' });
    expect(lines).toHaveLength(1);
  });
});

describe('a request without a context that says who calls and what they may do', () => {
  const reached = endpoint(getContact, () => Promise.reject(new Error('reached')));

  test.each([
    ['no authorizer', undefined],
    ['null', null],
    ['an empty context', {}],
    ['no access', { ...fullAccess('a'), access: undefined }],
    ['an empty access', { ...fullAccess('a'), access: '' }],
    ['another word', { ...fullAccess('a'), access: 'all' }],
    ['the word in capitals', { ...fullAccess('a'), access: 'FULL' }],
    ['true', { ...fullAccess('a'), access: 'true' }],
    ['scoped without scopes', { ...fullAccess('a'), access: 'scoped', scopes: '' }],
    ['scoped with the word that there are none', { ...fullAccess('a'), access: 'scoped', scopes: 'none' }],
    ['scoped with white space', { ...fullAccess('a'), access: 'scoped', scopes: '  ' }],
    ['scoped with scopes undefined', { ...fullAccess('a'), access: 'scoped', scopes: undefined }],
    ['no account', { ...fullAccess('a'), account_id: undefined }],
    ['an empty account', { ...fullAccess('a'), account_id: '' }],
    ['no key id', { ...fullAccess('a'), key_id: '' }],
    ['no end and no word that there is none', { ...fullAccess('a'), expires_at: undefined }],
    ['an end that is empty', { ...fullAccess('a'), expires_at: '' }],
    ['an end that is no time', { ...fullAccess('a'), expires_at: 'soon' }],
    ['the names of an older release', { accountId: 'a', keyId: 'key_1', scope: 'full' }],
  ])('%s: refused, and an internal error', async (_, authorizer) => {
    const request = gatewayEvent(getContact, authorizer, { params: { contactId: 'con_1' } });
    const { result, text } = await withLog(() => reached(request, lambdaContext()));
    expect(result.statusCode).toBe(500);
    expect(text).not.toContain('reached');
  });

  test('a key that has expired since the authorizer was called is refused like any other invalid key', async () => {
    const answer = async (expires_at: string) => {
      const request = event({ ...fullAccess('a'), expires_at });
      return (await withLog(() => failing(notFound('contact', 'x'))(request, lambdaContext()))).result;
    };
    const past = await answer(new Date(Date.now() - 1).toISOString());
    expect([past.statusCode, JSON.parse(past.body).message]).toEqual([401, 'Missing or invalid API key']);
    expect((await answer(new Date(Date.now() + 60_000).toISOString())).statusCode).toBe(404);
  });
});

describe('the handler gets', () => {
  test('a deadline, well before its Lambda ends', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    let left = 0;
    const handler = endpoint(listContacts, async ({ deadline }) => {
      left = deadline - Date.now();
      return { data: [], pagination: { limit: 25, offset: 0, total: 0, next_updated_since: null } };
    });
    await withLog(() => handler(gatewayEvent(listContacts, fullAccess('a')), lambdaContext(10_000)));
    expect(left).toBe(9000);
  });

  test('a body that was base64, decoded', async () => {
    let email: string | null = '';
    const handler = endpoint(createContact, async ({ body }) => {
      ({ email } = body);
      throw notFound('contact', 'x');
    });
    const request = gatewayEvent(createContact, fullAccess('a'), { body: { email: 'ä@example.com' } });
    const encoded = {
      ...request,
      body: Buffer.from(request.body as string).toString('base64'),
      isBase64Encoded: true,
    };
    await withLog(() => handler(encoded, lambdaContext()));
    expect(email).toBe('ä@example.com');
  });
});

describe('the log', () => {
  test('has one line for a request: account and key, operation and result, and no data', async () => {
    const handler = endpoint(createContact, () => Promise.reject(notFound('contact', 'x')));
    const request = gatewayEvent(createContact, fullAccess('acme'), {
      body: { email: 'canary@example.com', note: 'canary' },
    });
    request.multiValueHeaders['X-Api-Key'] = ['pak_live_canary'];
    const { lines, text } = await withLog(() => handler(request, lambdaContext()));
    expect(lines).toEqual([
      {
        timestamp: expect.any(String),
        level: 'INFO',
        message: 'request',
        operation: 'createContact',
        request_id: request.requestContext.requestId,
        time_ms: expect.any(Number),
        error_message: 'No contact has the id …',
        key_id: 'key_test',
        account: 'acme',
        status: 404,
        outcome: '4xx',
        duration_ms: expect.any(Number),
      },
    ]);
    expect(text).not.toContain('canary');
  });
});
