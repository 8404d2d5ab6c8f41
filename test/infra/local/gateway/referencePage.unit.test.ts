import { afterAll, beforeAll, expect, test } from 'vitest';
import { referencePage } from '../../../../infra/local/gateway/referencePage.ts';
import { close, type Listening, listen } from '../../../../infra/local/gateway/server.ts';
import type { OpenApi } from '../../../support/documents/openapi.ts';

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
  const names = [...page.matchAll(/(?:src|href|data-search)="([^"#]+)"/g)].map(([, name]) => name as string);
  expect(names.length).toBeGreaterThan(40);
  for (const name of new Set(names)) expect((await get(`/docs/${name}`)).status, name).toBe(200);
});

test('the document and its first guide have the address of the API', async () => {
  const document = (await (await get('/docs/openapi.json')).json()) as OpenApi;
  expect(document.servers).toEqual([{ url: 'http://127.0.0.1:3456/v1', description: 'This local stack.' }]);
  const guide = await (await get('/docs/getting-started.html.md')).text();
  expect(guide).toContain('\nexport URL=http://127.0.0.1:3456/v1\n');
});

test('files are compressed, and a browser that has one is told so', async () => {
  const first = await get('/docs/openapi.json');
  expect(first.headers.get('Content-Encoding')).toBe('gzip');
  const ETag = first.headers.get('ETag') as string;
  await first.arrayBuffer();
  const asked = (tag: string) =>
    fetch(`${listening.url}/docs/openapi.json`, { headers: { 'If-None-Match': tag } });
  const [again, other] = [await asked(ETag), await asked('"another"')];
  expect([again.status, await again.text(), again.headers.get('ETag')]).toEqual([304, '', ETag]);
  expect(other.status).toBe(200);
  await other.arrayBuffer();
  const plain = await fetch(`${listening.url}/docs/openapi.json`, {
    headers: { 'Accept-Encoding': 'identity' },
  });
  expect(plain.headers.get('Content-Encoding')).toBeNull();
  expect(await plain.json()).toHaveProperty('openapi');
});

test('a browser keeps the files whose names change with them, and asks for the others again', async () => {
  const page = await get('/docs/');
  const [, style] = /href="(style\.[^"]+)"/.exec(await page.text()) ?? [];
  expect(page.headers.get('Cache-Control')).toBe('no-cache');
  expect((await get(`/docs/${style}`)).headers.get('Cache-Control')).toContain('immutable');
});

test('without a key there are no records for the examples', async () => {
  expect(await (await get('/docs/ids.json')).json()).toEqual({});
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
