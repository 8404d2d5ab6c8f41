import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { gatewaysOf } from '../../../../infra/local/gateway/gateway.ts';
import type { RestApi } from '../../../../infra/local/gateway/model.ts';
import { consolePage } from '../../../../infra/local/gateway/pages.ts';
import { close, type Listening, listen } from '../../../../infra/local/gateway/server.ts';
import type { Lambda } from '../../../../infra/local/lambda/lambda.ts';
import { consoleHeaders } from '../../../../infra/pages/headers.ts';

// The public API and the console at one address, as npm start serves them, with functions whose answers the tests set.

const apiOf = (stage: string, resourcePath: string): RestApi => ({
  id: stage,
  stage,
  compressedFrom: undefined,
  methods: ['GET', 'POST'].map((httpMethod) => ({
    httpMethod,
    resourcePath,
    resourceId: 'r',
    functionId: stage,
    authorizer:
      stage === 'v1'
        ? { id: 'auth', functionId: 'auth', identityHeader: 'X-Api-Key', cacheMs: 60_000 }
        : undefined,
  })),
  answers: new Map([
    ['MISSING_AUTHENTICATION_TOKEN', { status: 404, headers: {}, body: `"no route in ${stage}"` }],
    ['UNAUTHORIZED', { status: 401, headers: {}, body: '"unauthorized"' }],
  ]),
});

const [v1, ofConsole] = [apiOf('v1', '/contacts'), apiOf('console', '/api/session')];
const files = [
  { name: 'index.html', type: 'text/html; charset=utf-8', content: '<p>page</p>', immutable: false },
  { name: 'app.1a2b.js', type: 'text/javascript; charset=utf-8', content: 'let a;', immutable: true },
];

let listening: Listening;
let received: APIGatewayProxyEvent[];
beforeAll(async () => {
  const note = (stage: string) => async (event: APIGatewayProxyEvent) => {
    received.push(event);
    const multiValueHeaders = { 'Set-Cookie': ['__Host-console=a; Path=/', '__Host-other=b; Path=/'] };
    return JSON.stringify({ statusCode: 200, body: `"${stage}"`, multiValueHeaders });
  };
  const lambdas = new Map(
    ['v1', 'console'].map((stage) => [stage, { invoke: note(stage) } as unknown as Lambda]),
  );
  const gateways = gatewaysOf([ofConsole, v1], v1, lambdas, { request: () => {}, logged: () => {} });
  const serves = consolePage(consoleHeaders([]), async () => files, gateways.handle);
  listening = await listen(
    0,
    (request, response) => serves(request, response) ?? gateways.handle(request, response),
  );
});
afterAll(() => close(listening.server));
beforeEach(() => {
  received = [];
});

const get = (path: string, init: RequestInit = {}) =>
  fetch(`${listening.url}${path}`, { redirect: 'manual', ...init });

test('the path says which API is asked, and only its authorizer and its answers count', async () => {
  expect(await (await get('/console/api/session')).json()).toBe('console');
  const refused = await get('/v1/contacts');
  expect([refused.status, await refused.json()]).toEqual([401, 'unauthorized']);
  const routes = ['/console/api/contacts', '/console/api/', '/v1/api/session', '/elsewhere', '/v1x/contacts'];
  expect(await Promise.all(routes.map(async (path) => (await get(path)).json()))).toEqual([
    'no route in console',
    'no route in console',
    'no route in v1',
    'no route in v1',
    'no route in v1',
  ]);
});

test.each([
  ['/console', 301],
  ['/console/', 200],
  ['/console/?from=product', 200],
  ['/console/app.1a2b.js', 200],
  ['/console/app.0000.js', 404],
  ['/console/api/session', 200],
  ['/console/api/nothing', 404],
])('%s is answered %i, with the headers of the console', async (path, status) => {
  const answer = await get(path);
  expect(answer.status).toBe(status);
  expect(Object.fromEntries(answer.headers)).toMatchObject(
    Object.fromEntries(
      Object.entries(consoleHeaders([])).map(([name, value]) => [name.toLowerCase(), value]),
    ),
  );
});

test('a browser asks for the page each time, and keeps the files that it names', async () => {
  const [page, script] = [await get('/console/'), await get('/console/app.1a2b.js')];
  expect([page.headers.get('Cache-Control'), await page.text()]).toEqual(['no-cache', '<p>page</p>']);
  expect(script.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
  expect(script.headers.get('Content-Type')).toBe('text/javascript; charset=utf-8');
});

test('a frame is allowed to the origins that a stage names, and to no other', () => {
  const origins = ['https://app.example.com', 'https://admin.example.com:8443'];
  expect(consoleHeaders(origins)['Content-Security-Policy']).toMatch(
    /; frame-ancestors https:\/\/app\.example\.com https:\/\/admin\.example\.com:8443; /,
  );
  expect(consoleHeaders(origins)).not.toHaveProperty('X-Frame-Options');
  expect(consoleHeaders([])).toMatchObject({
    'Content-Security-Policy': expect.stringContaining("; frame-ancestors 'none'; "),
    'X-Frame-Options': 'DENY',
  });
});
