import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { close, type Listening, listen } from '../../infra/local/server.ts';
import { checkError, checkHeaders, type Reply } from '../support/api.ts';
import { answersOn, dial } from '../support/rawHttp.ts';

// What the server answers below its listener, which itself answers every request it gets with its path.

const listener: RequestListener = async (request, response) => {
  await request.toArray().catch(() => {});
  if (request.url === '/hang' || response.headersSent) return;
  const body = JSON.stringify(request.url);
  response.writeHead(200, { 'Content-Length': body.length }).end(body);
};

let listening: Listening;
beforeEach(async () => {
  listening = await listen(0, listener);
});
afterEach(() => close(listening.server));

const say = async (text: string) => answersOn(await dial(listening.url, text));

function checkRefused(reply: Reply<unknown> | undefined, status: number): void {
  expect(reply?.status).toBe(status);
  checkHeaders(reply?.headers as Headers);
  checkError(status, reply?.body);
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const post = (headers: string, body: string) => `POST / HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`;
const last = 'Connection: close\r\n';

describe('in the shape of all errors it refuses', () => {
  test.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['the beginning of TLS', '\x16\x03\x01\x00\xa5\x01\x00', 400],
    ['the beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['a version that does not exist', 'GET / HTTP/7.7\r\n\r\n', 400],
    ['a header without a name', get('/', ': x\r\n'), 400],
    ['headers beyond their limit', get('/', `X: ${'x'.repeat(12_000)}\r\n`), 400],
    ['an address beyond it', get(`/${'x'.repeat(100_000)}`), 400],
    ['two lengths', post('Content-Length: 2\r\nContent-Length: 3', '{}'), 400],
    ['a length and chunks', post('Content-Length: 2\r\nTransfer-Encoding: chunked', '0\r\n\r\n'), 400],
    ['chunks that are none', post('Transfer-Encoding: chunked', 'ZZ\r\n'), 400],
    ['an expectation that nobody can meet', post('Expect: bogus\r\nContent-Length: 2', '{}'), 400],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    ['a method that Node does not know', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    ['a method in lower case', 'get / HTTP/1.1\r\nHost: x\r\n\r\n', 404],
  ])('%s', async (_, text, status) => {
    const replies = await say(text);
    expect(replies).toHaveLength(1);
    checkRefused(replies[0], status);
  });

  test.each([
    ['head', 'GET / HT'],
    ['body', post('Content-Length: 20', '{"email":')],
  ])('a request whose %s ends too soon', async (_, text) => {
    const socket = await dial(listening.url, text);
    const replies = answersOn(socket);
    socket.end();
    checkRefused((await replies)[0], 400);
  });
});

describe('is a request like any other', () => {
  test('one without the header Host', async () => {
    expect(await say(`GET /a HTTP/1.1\r\n${last}\r\n`)).toMatchObject([{ status: 200, body: '/a' }]);
  });

  test('one for another protocol, and so is the next on its connection', async () => {
    const upgrade = get('/a', 'Connection: Upgrade\r\nUpgrade: websocket\r\n');
    const socket = await dial(listening.url, upgrade);
    await once(socket, 'readable');
    socket.write(get('/b', last));
    expect(await answersOn(socket)).toMatchObject([{ body: '/a' }, { body: '/b' }]);
  });
});

describe('answers keep the order of requests', () => {
  test.each([
    ['nonsense', 'hello\r\n\r\n', 400],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    ['an expectation', post('Expect: bogus\r\nContent-Length: 0', ''), 400],
    ['chunks that are none', post('Transfer-Encoding: chunked', 'ZZ\r\n'), 400],
  ])('also when %s comes before the answers to requests are ready', async (_, text, status) => {
    const replies = await say(get('/a') + get('/b') + text);
    expect(replies.slice(0, 2)).toMatchObject([{ body: '/a' }, { body: '/b' }]);
    expect(replies).toHaveLength(3);
    checkRefused(replies[2], status);
  });
});

describe('closing does not wait for ever', () => {
  test.each([
    ['a connection that says nothing', ''],
    ['half a request', 'GET / HT'],
    ['half a body', post('Content-Length: 20', '{')],
    ['a request that is never answered', get('/hang')],
    ['a connection that is kept for later', get('/a')],
  ])('for %s', async (_, text) => {
    const connected = once(listening.server, 'connection');
    const socket = await dial(listening.url, text);
    const closed = once(
      socket.resume().on('error', () => {}),
      'close',
    );
    await connected;
    await close(listening.server);
    await closed;
  });
});
