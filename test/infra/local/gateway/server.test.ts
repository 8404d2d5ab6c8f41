import type { RequestListener } from 'node:http';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { close, type Listener, type Listening, listen } from '../../../../infra/local/gateway/server.ts';
import { checkError, checkHeaders, type Reply } from '../../../support/http/api.ts';
import { answersOn, dial } from '../../../support/http/rawHttp.ts';

// What the server answers itself. The listener of these tests answers every request with its path.

const answer: RequestListener = async (request, response) => {
  await request.toArray().catch(() => {});
  if (request.url === '/hang') return;
  const body = JSON.stringify(request.url);
  response.writeHead(200, { 'Content-Length': body.length }).end(body);
};

const listener: Listener = (request, response) => {
  if (request.url === '/throw') throw new Error('a mistake');
  return request.url === '/reject' ? Promise.reject(new Error('a mistake')) : answer(request, response);
};

let listening: Listening;
beforeEach(async () => {
  listening = await listen(0, listener);
});
afterEach(() => close(listening.server));

function checkRefused(reply: Reply<unknown> | undefined, status: number): void {
  expect(reply?.status).toBe(status);
  checkHeaders(reply?.headers as Headers);
  checkError(status, reply?.body);
}

const last = 'Connection: close\r\n';

/** `OWN` is the host and port of the server, and `PORT` is its port. */
const send = async (text: string) => answersOn(await dialOwn(text));
const dialOwn = (text: string, { url } = listening) => dial(url, withOwn(text, url));
const withOwn = (text: string, url = listening.url) =>
  text.replaceAll('OWN', new URL(url).host).replaceAll('PORT', new URL(url).port);

const ownHost = 'Host: OWN\r\n';
const get = (path: string, headers = '') =>
  `GET ${path} HTTP/1.1\r\n${/^host:/im.test(headers) ? '' : ownHost}${headers}\r\n`;

describe('is a request like any other', () => {
  test('one of HTTP/1.0 without the header Host', async () => {
    expect(await send('GET /a HTTP/1.0\r\n\r\n')).toMatchObject([{ status: 200, body: '/a' }]);
  });

  test.each(['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST', 'LocalHost', 'localhost.', '127.0.0.1.'])(
    'one from its own page, and one for its name %s',
    async (name) => {
      const own = `${name}:${new URL(listening.url).port}`;
      for (const headers of [`Host: ${own}\r\n`, `Host: ${own}\r\nOrigin: http://${own}\r\n`])
        expect(await send(get('/a', headers + last))).toMatchObject([{ status: 200, body: '/a' }]);
    },
  );
});

describe('bytes that are no request of HTTP get the error body of the API:', () => {
  test.each([
    ['letters in a query', 'GET /a?company=Größe HTTP/1.1\r\nHost: OWN\r\n\r\n', /curl -G --data-urlencode/],
    ['letters in a path', 'GET /größe HTTP/1.1\r\nHost: OWN\r\n\r\n', /percent-encode non-ASCII/],
    ['no request line', 'hello\r\n\r\n', /not valid HTTP/],
    [
      'long headers',
      `GET /a HTTP/1.1\r\nHost: OWN\r\nX: ${'x'.repeat(21_000)}\r\n\r\n`,
      /at most 20480 bytes/,
    ],
  ])('%s', async (_, text, message) => {
    const [reply, ...others] = await send(text);
    checkRefused(reply, 400);
    expect(reply?.body).toMatchObject({ message: expect.stringMatching(message) });
    expect(others).toEqual([]);
  });

  test('but not within the answer to the request before them', async () => {
    const socket = await dialOwn(get('/hang'));
    socket.write('GET /größe HTTP/1.1\r\n\r\n');
    expect(await answersOn(socket)).toEqual([]);
  });
});

describe('pages of other sites are refused:', () => {
  test.each([
    ['no Host', ''],
    ['a second Host', 'Host: OWN\r\nHost: evil.example\r\n'],
    ['the same Host twice', 'Host: OWN\r\nhost: OWN\r\n'],
    ['an empty Host before the right one', 'Host:\r\nHost: OWN\r\n'],
  ])('%s', async (_, headers) => {
    const [reply] = await send(`GET /a HTTP/1.1\r\n${headers}${last}\r\n`);
    checkRefused(reply, 403);
    expect(reply?.body).toMatchObject({ message: expect.stringContaining('The header Host must be ') });
  });

  test.each([
    ['Host', 'evil.example'],
    ['Host', '127.0.0.1'],
    ['Host', '127.0.0.1.evil.example:PORT'],
    ['Host', 'localhost..:PORT'],
    ['Host', 'evil.localhost:PORT'],
    ['Host', 'localhost:1'],
    ['Host', ''],
    ['Origin', 'http://evil.example'],
    ['Origin', 'https://127.0.0.1:PORT'],
    ['Origin', 'http://127.0.0.1'],
    ['Origin', 'http://localhost:1'],
    ['Origin', 'http://127.0.0.1:PORT.evil.example'],
    ['Origin', 'null'],
    ['Origin', ''],
  ])('%s: %s', async (name, value) => {
    const header = `${name}: ${value}\r\n`;
    const replies = await send(get('/a', header) + get('/b', last));
    checkRefused(replies[0], 403);
    expect(replies[0]?.body).toMatchObject({
      message: expect.stringContaining(`The header ${name} must be `),
    });
    expect(replies[1]).toMatchObject({ status: 200, body: '/b' });
  });
});

test.each([
  ['throws', '/throw'],
  ['rejects', '/reject'],
])('a listener that %s answers 500, logs the error, and answers the next request', async (_, path) => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => logged.mockRestore());
  const replies = await send(get(path) + get('/b', last));
  checkRefused(replies[0], 500);
  expect(replies[1]).toMatchObject({ status: 200, body: '/b' });
  expect(logged.mock.calls.join()).toContain(`GET ${path} failed: Error: a mistake`);
});
