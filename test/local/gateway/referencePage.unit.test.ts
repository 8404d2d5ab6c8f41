import { afterAll, beforeAll, expect, test } from 'vitest';
import { referencePage } from '../../../infra/local/gateway/referencePage.ts';
import { close, type Listening, listen } from '../../../infra/local/gateway/server.ts';
import type { OpenApi } from '../../support/documents/openapi.ts';

let listening: Listening;
beforeAll(async () => {
  const serves = referencePage('http://127.0.0.1:3456/v1', () => undefined);
  listening = await listen(0, (request, response) => {
    if (!serves(request, response)) response.writeHead(418).end();
  });
});
afterAll(() => close(listening.server));

const get = (path: string, method = 'GET') =>
  fetch(`${listening.url}${path}`, { method, redirect: 'manual' });

test('its files are where its page looks for them', async () => {
  const page = await (await get('/docs/?from=somewhere')).text();
  const names = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name]) => name as string);
  expect(names).toEqual(['icon.svg', 'openapi.json', 'scalar.js', 'page.js']);
  for (const name of names) {
    const answer = await get(`/docs/${name}`);
    expect(answer.status, name).toBe(200);
    expect((await answer.text()).length, name).toBeGreaterThan(100);
  }
});

test('the document and its first guide have the address of the API', async () => {
  const document = (await (await get('/docs/openapi.json')).json()) as OpenApi;
  expect(document.servers).toEqual([{ url: 'http://127.0.0.1:3456/v1', description: 'This local stack.' }]);
  expect(document.info.description).toContain('\nexport URL=http://127.0.0.1:3456/v1\n');
});

test('pages of other sites cannot show it in a frame', async () => {
  expect((await get('/docs/')).headers.get('X-Frame-Options')).toBe('DENY');
});

test('the address without a path leads to the page', async () => {
  const led = await get('/');
  expect([led.status, led.headers.get('Location')]).toEqual([302, '/docs/']);
  expect((await get('/', 'POST')).status).toBe(418);
});

test('without its slash it leads to the page, and what it does not have is 404', async () => {
  const led = await get('/docs');
  expect([led.status, led.headers.get('Location')]).toEqual([301, '/docs/']);
  expect((await get('/docs/..%2f..%2fpackage.json')).status).toBe(404);
});

test('it answers only reads, and leaves everything else to the API', async () => {
  expect((await get('/docs/', 'POST')).status).toBe(405);
  const head = await get('/docs/', 'HEAD');
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect((await get('/docsx')).status).toBe(418);
  expect((await get('/v1/docs')).status).toBe(418);
});
