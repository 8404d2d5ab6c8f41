import { afterEach, beforeEach, expect, test } from 'vitest';
import { awsControlApi } from '../../../../infra/local/gateway/awsControlApi.ts';
import { close, type Listening, listen } from '../../../../infra/local/gateway/server.ts';
import { LambdaError } from '../../../../infra/local/lambda/lambda.ts';

// Invoke and FlushStageAuthorizersCache with the token. foreignOrigins.test.ts tests requests without it.

let listening: Listening;
let begun: unknown[];
let flushed: number;
beforeEach(async () => {
  begun = [];
  flushed = 0;
  listening = await listen(
    0,
    awsControlApi({
      token: 'secret',
      flushAuthorizers: () => {
        flushed += 1;
      },
      lambdas: new Map([
        ['Echo', { invoke: async (event: unknown) => JSON.stringify({ got: event }) }],
        ['Fails', { invoke: () => Promise.reject(new LambdaError('it failed')) }],
      ]),
      invocations: { begin: (functionName, event) => void begun.push([functionName, event]) },
    }),
  );
});
afterEach(() => close(listening.server));

async function ask(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
  const response = await fetch(listening.url + path, {
    method,
    headers: { 'X-Amz-Security-Token': 'secret', ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return {
    status: response.status,
    error: response.headers.get('X-Amz-Function-Error'),
    body: text && JSON.parse(text),
  };
}

const invoke = (name: string, body?: string, headers?: Record<string, string>) =>
  ask('POST', `/2015-03-31/functions/${name}/invocations`, body, headers);

test('a function is invoked, and its result is the answer', async () => {
  expect(await invoke('Echo', '{"a":1}')).toEqual({ status: 200, error: null, body: { got: { a: 1 } } });
  expect(await invoke('Echo')).toEqual({ status: 200, error: null, body: { got: {} } });
});

test('a function that fails returns its error', async () => {
  const body = { errorType: 'LambdaError', errorMessage: 'it failed' };
  expect(await invoke('Fails', '{}')).toEqual({ status: 200, error: 'Unhandled', body });
});

test('an asynchronous invocation is answered before it begins', async () => {
  const answer = await invoke('Fails', '{"a":1}', { 'X-Amz-Invocation-Type': 'Event' });
  expect(answer).toEqual({ status: 202, error: null, body: '' });
  expect(begun).toEqual([['Fails', { a: 1 }]]);
});

test.each([
  ['no JSON', 'Echo', '{', 400, 'Bad Request'],
  ['too large', 'Echo', `"${'x'.repeat(6_300_000)}"`, 413, 'Content Too Large'],
  ['for nobody', 'Nobody', '{}', 404, 'Not Found'],
  ['for what cannot be read', '%', '{}', 404, 'Not Found'],
])('an event that is %s is refused', async (_, name, body, status, error) => {
  expect(await invoke(name, body)).toMatchObject({ status, body: { error } });
});

test('the cached answers of the authorizer are flushed', async () => {
  expect((await ask('DELETE', '/restapis/api/stages/v1/cache/authorizers')).status).toBe(202);
  expect(flushed).toBe(1);
});
