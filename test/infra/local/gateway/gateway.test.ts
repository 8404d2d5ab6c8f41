import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { afterEach, describe, expect, test } from 'vitest';
import { Gateway } from '../../../../infra/local/gateway/gateway.ts';
import type { RestApi } from '../../../../infra/local/gateway/model.ts';
import { close, type Listening, listen } from '../../../../infra/local/gateway/server.ts';
import { type Lambda, LambdaError } from '../../../../infra/local/lambda/lambda.ts';
import { readAccessLog } from '../../../../infra/local/logs/accessLog.ts';

// The gateway with functions whose answers the tests set.

type Result = object | null | string | Error;

let listening: Listening;
afterEach(() => close(listening.server));

/** The lines of the access log, with their log groups. */
let logged: [group: string, line: Record<string, string>][] = [];

const loggedVariables = {
  id: '$context.requestId',
  method: '$context.httpMethod',
  resource: '$context.resourcePath',
  status: '$context.status',
  bytes: '$context.responseLength',
  integration: '$context.integration.status',
  name: '$context.authorizer.name',
  answer: '$context.error.responseType',
  tls: '$context.tlsVersion',
};

const api: RestApi = {
  id: 'api',
  accessLog: readAccessLog({
    id: 'Stage',
    type: 'AWS::ApiGateway::Stage',
    properties: {
      AccessLogSetting: {
        DestinationArn: 'arn:aws:logs:local-1:000000000000:log-group:Logs',
        Format: JSON.stringify(loggedVariables),
      },
    },
  }),
  stage: 'v1',
  compressedFrom: undefined,
  methods: [
    { httpMethod: 'GET', resourcePath: '/things', resourceId: 'r1', functionId: 'fn', authorizer: undefined },
    {
      httpMethod: 'POST',
      resourcePath: '/things/{id}',
      resourceId: 'r2',
      functionId: 'fn',
      authorizer: undefined,
    },
    {
      httpMethod: 'GET',
      resourcePath: '/things/{id}',
      resourceId: 'r2',
      functionId: 'fn',
      authorizer: undefined,
    },
    {
      httpMethod: 'GET',
      resourcePath: '/guarded/{id}',
      resourceId: 'r3',
      functionId: 'fn',
      authorizer: { id: 'auth', functionId: 'auth', identityHeader: 'X-Api-Key', cacheMs: 60_000 },
    },
  ],
  answers: new Map([
    [
      'DEFAULT_4XX',
      { status: undefined, headers: { 'X-Request-Id': { context: 'requestId' } }, body: '"default 4xx"' },
    ],
    [
      'DEFAULT_5XX',
      { status: undefined, headers: { 'X-Request-Id': { context: 'requestId' } }, body: '"default 5xx"' },
    ],
    ['UNAUTHORIZED', { status: 401, headers: { 'X-Made-By': 'us' }, body: '"unauthorized"' }],
    ['MISSING_AUTHENTICATION_TOKEN', { status: 404, headers: {}, body: '"no route"' }],
    ['ACCESS_DENIED', { status: 403, headers: {}, body: '"denied$context.authorizer.why"' }],
  ]),
};

let gateway: Gateway;
const received: { auth: APIGatewayRequestAuthorizerEvent[]; fn: APIGatewayProxyEvent[] } = {
  auth: [],
  fn: [],
};

async function given(
  results: { fn?: Result; auth?: (event: APIGatewayRequestAuthorizerEvent) => Result } = {},
) {
  received.auth = [];
  received.fn = [];
  logged = [];
  const ok = { statusCode: 200, body: '{}' };
  const answer = (result: Result): Promise<string> =>
    result instanceof Error
      ? Promise.reject(new LambdaError(result.message))
      : Promise.resolve(typeof result === 'string' ? result : JSON.stringify(result));
  const lambdas = {
    fn: (event: APIGatewayProxyEvent) => {
      received.fn.push(event);
      return answer(results.fn === undefined ? ok : results.fn);
    },
    auth: (event: APIGatewayRequestAuthorizerEvent) => {
      received.auth.push(event);
      return answer((results.auth ?? allow)(event));
    },
  };
  const functions = new Map(
    Object.entries(lambdas).map(([id, invoke]) => [id, { invoke } as unknown as Lambda]),
  );
  gateway = new Gateway(api, functions, {
    request: () => {},
    logged: (group, line) => logged.push([group, JSON.parse(line)]),
  });
  listening = await listen(0, (request, response) => void gateway.handle(request, response));
}

const policy = (Effect: string, Resource: string | string[]) => ({
  Version: '2012-10-17',
  Statement: [{ Action: 'execute-api:Invoke', Effect, Resource }],
});
const allow = (event: APIGatewayRequestAuthorizerEvent) => ({
  principalId: 'p',
  policyDocument: policy('Allow', event.methodArn.replace(/\/v1\/.*/, '/v1/*')),
  context: { account_id: 'a', count: 3, good: true },
});

async function get(path: string, init: RequestInit = {}) {
  const response = await fetch(`${listening.url}${path}`, init);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const keyed = (key: string) => ({ headers: { 'x-api-key': key } });

describe('the event of a function', () => {
  test('is that of API Gateway, with null for what the request does not have', async () => {
    await given();
    await get('/v1/things');
    expect(received.fn[0]).toMatchObject({
      resource: '/things',
      path: '/things',
      httpMethod: 'GET',
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      pathParameters: null,
      stageVariables: null,
      body: null,
      isBase64Encoded: false,
      requestContext: {
        resourceId: 'r1',
        resourcePath: '/things',
        path: '/v1/things',
        stage: 'v1',
        protocol: 'HTTP/1.1',
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        requestTime: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
        identity: { sourceIp: '127.0.0.1', cognitoIdentityId: null },
      },
    });
    expect(received.fn[0]?.headers).toMatchObject({
      'X-Forwarded-Proto': 'http',
      'X-Forwarded-For': '127.0.0.1',
    });
  });

  test('has query parameters decoded, path parameters as they were sent, and the body as text', async () => {
    await given();
    await get('/v1/things/a%2Fb%zz?x=1&x=2&y=a+b%20c&z', { method: 'POST', body: 'ä' });
    expect(received.fn[0]).toMatchObject({
      pathParameters: { id: 'a%2Fb%zz' },
      queryStringParameters: { x: '2', y: 'a b c', z: '' },
      multiValueQueryStringParameters: { x: ['1', '2'], y: ['a b c'], z: [''] },
      body: 'ä',
    });
  });
});

describe('the authorizer', () => {
  test('its answer is cached by the key for all routes, until the cache is flushed', async () => {
    await given();
    for (const path of ['/v1/guarded/1', '/v1/guarded/2'])
      expect((await get(path, keyed('k'))).status).toBe(200);
    expect(received.auth).toHaveLength(1);
    await get('/v1/guarded/1', keyed('another'));
    expect(received.auth).toHaveLength(2);
    gateway.flushAuthorizers();
    await get('/v1/guarded/1', keyed('k'));
    expect(received.auth).toHaveLength(3);
  });

  test('a policy for one route refuses the next, as it would on AWS', async () => {
    await given({ auth: (event) => ({ ...allow(event), policyDocument: policy('Allow', event.methodArn) }) });
    expect((await get('/v1/guarded/1', keyed('k'))).status).toBe(200);
    const { status, body } = await get('/v1/guarded/2', keyed('k'));
    expect([status, body]).toEqual([403, 'denied']);
  });

  test.each([
    [
      'denies',
      (event: APIGatewayRequestAuthorizerEvent) => ({ ...allow(event), policyDocument: policy('Deny', '*') }),
      403,
      'denied',
    ],
    [
      'denies, and says why',
      (event: APIGatewayRequestAuthorizerEvent) => ({
        ...allow(event),
        policyDocument: policy('Deny', '*'),
        context: { why: ': too late' },
      }),
      403,
      'denied: too late',
    ],
    ['throws "Unauthorized"', () => new Error('Unauthorized'), 401, 'unauthorized'],
    ['throws anything else', () => new Error('Unauthorized.'), 500, 'default 5xx'],
    ['returns nothing', () => null, 500, 'default 5xx'],
    ['has no principal', () => ({ policyDocument: policy('Allow', '*') }), 500, 'default 5xx'],
    [
      'has an object in its context',
      (event: APIGatewayRequestAuthorizerEvent) => ({ ...allow(event), context: { scopes: ['a'] } }),
      500,
      'default 5xx',
    ],
  ])('when it %s', async (_, auth, status, body) => {
    await given({ auth });
    const reply = await get('/v1/guarded/1', keyed('k'));
    expect([reply.status, reply.body]).toEqual([status, body]);
    expect(received.fn).toEqual([]);
  });
});

describe('too much', () => {
  test('a body that no Lambda could get: 413, and the next request is fine', async () => {
    await given();
    const { status, headers } = await get('/v1/things/1', { method: 'POST', body: 'x'.repeat(11_000_000) });
    expect(status).toBe(413);
    expect(headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('x-amzn-RequestId')).toBe(headers.get('X-Request-Id'));
    expect((await get('/v1/things')).status).toBe(200);
  });
});

describe('the access log', () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${listening.url}/v1${path}`, { headers });
  const named = (event: APIGatewayRequestAuthorizerEvent, Effect: string) => ({
    principalId: 'me',
    policyDocument: policy(Effect, event.methodArn),
    context: { name: 'Ada' },
  });

  test('has a line for each request, in the format of the stage, with "-" for what is missing', async () => {
    await given({ auth: (event) => named(event, 'Allow') });
    const id = (await get('/things/1?secret=1')).headers.get('x-amzn-requestid');
    await get('/guarded/1', { 'X-Api-Key': 'a' });
    const common = { method: 'GET', status: '200', bytes: '2', integration: '200', answer: '-', tls: '-' };
    await expect
      .poll(() => logged)
      .toEqual([
        ['Logs', { ...common, id, resource: '/things/{id}', name: '-' }],
        ['Logs', { ...common, id: expect.any(String), resource: '/guarded/{id}', name: 'Ada' }],
      ]);
  });

  test('has what the gateway answers itself, with the type of the answer', async () => {
    const auth = (event: APIGatewayRequestAuthorizerEvent) =>
      named(event, event.headers?.['X-Api-Key'] === 'refused' ? 'Deny' : 'Allow');
    await given({ fn: new Error('crash'), auth });
    for (const path of ['/nowhere', '/guarded/1', '/things']) await get(path, { 'X-Api-Key': 'refused' });
    await get('/guarded/1', { 'X-Api-Key': 'allowed' });
    await expect
      .poll(() =>
        logged.map(([, { resource, status, answer, integration, name }]) => [
          resource,
          status,
          answer,
          integration,
          name,
        ]),
      )
      .toEqual([
        ['-', '404', 'MISSING_AUTHENTICATION_TOKEN', '-', '-'],
        ['/guarded/{id}', '403', 'ACCESS_DENIED', '-', 'Ada'],
        ['/things', '502', 'DEFAULT_5XX', '-', '-'],
        ['/guarded/{id}', '502', 'DEFAULT_5XX', '-', 'Ada'],
      ]);
  });
});
