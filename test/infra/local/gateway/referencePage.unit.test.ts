import { afterAll, beforeAll, expect, test } from 'vitest';
import { referencePage } from '../../../../infra/local/gateway/pages.ts';
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

test('a browser keeps the files whose names change with them, and asks for the others again', async () => {
  const page = await get('/docs/');
  const [, style] = /href="(style\.[^"]+)"/.exec(await page.text()) ?? [];
  expect(page.headers.get('Cache-Control')).toBe('no-cache');
  expect((await get(`/docs/${style}`)).headers.get('Cache-Control')).toContain('immutable');
});

test('pages of other sites cannot show it in a frame', async () => {
  expect((await get('/docs/')).headers.get('X-Frame-Options')).toBe('DENY');
});
