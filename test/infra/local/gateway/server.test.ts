import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  close,
  type Listener,
  type Listening,
  listen,
  receiveTimeouts,
} from '../../../../infra/local/gateway/server.ts';
import { checkError, checkHeaders, type Reply } from '../../../support/http/api.ts';
import { answersOn, dial } from '../../../support/http/rawHttp.ts';

// What the server answers itself. The listener of these tests answers every request with its path.

const answer: RequestListener = async (request, response) => {
  await request.toArray().catch(() => {});
  if (request.url === '/hang' || response.headersSent) return;
  if (request.url === '/later') await once(request.socket, 'end');
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
const post = (headers: string, body: string) => `POST / HTTP/1.1\r\n${ownHost}${headers}\r\n\r\n${body}`;

test('a connection without a request stays open for more than a minute, also beyond the time limits of a request', async () => {
  const answer = await fetch(listening.url);
  expect(answer.headers.get('Keep-Alive')).toBe('timeout=75');
  expect(listening.server.keepAliveTimeout).toBeGreaterThan(receiveTimeouts.requestTimeout);
});

describe('it refuses, with the shape of all errors,', () => {
  test.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['the beginning of TLS', '\x16\x03\x01\x00\xa5\x01\x00', 400],
    ['the beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['a version that does not exist', 'GET / HTTP/7.7\r\n\r\n', 400],
    ['a header without a name', get('/', ': x\r\n'), 400],
    ['headers beyond their limit', get('/', `X: ${'x'.repeat(12_000)}\r\n${last}`), 400],
    ['an address beyond it', get(`/${'x'.repeat(100_000)}`, last), 400],
    ['a query beyond it', get(`/?${'x'.repeat(12_000)}`, last), 400],
    ['headers that are not even parsed', get('/', `X: ${'x'.repeat(2_000_000)}\r\n`), 400],
    ['no Host', `GET / HTTP/1.1\r\n${last}\r\n`, 400],
    ['a whole address and no Host', `GET http://OWN/ HTTP/1.1\r\n${last}\r\n`, 400],
    ['a whole address and two Hosts', get('http://OWN/', `Host: OWN\r\nHost: OWN\r\n${last}`), 400],
    ['a Host that no host can be', get('/', `Host: user@OWN\r\n${last}`), 400],
    ['such a Host with a whole address', get('http://OWN/', `Host: a b\r\n${last}`), 400],
    ['two lengths', post('Content-Length: 2\r\nContent-Length: 3', '{}'), 400],
    ['a length and chunks', post('Content-Length: 2\r\nTransfer-Encoding: chunked', '0\r\n\r\n'), 400],
    ['chunks that are none', post('Transfer-Encoding: chunked', 'ZZ\r\n'), 400],
    ['an expectation that nobody can meet', post('Expect: bogus\r\nContent-Length: 2', '{}'), 400],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\n\r\n', 404],
    ['a method that Node does not know', 'FOO / HTTP/1.1\r\n\r\n', 404],
    ['a method in lower case', 'get / HTTP/1.1\r\n\r\n', 404],
  ])('%s', async (_, text, status) => {
    const replies = await send(text);
    expect(replies).toHaveLength(1);
    checkRefused(replies[0], status);
  });

  test.each([
    ['head', 'GET / HT'],
    ['body', post('Content-Length: 20', '{"email":')],
  ])('a request whose %s ends too soon', async (_, text) => {
    const socket = await dialOwn(text);
    const replies = answersOn(socket);
    socket.end();
    checkRefused((await replies)[0], 400);
  });
});

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

  test.each([
    ['its path', '/a?b', '/a?b'],
    ['its path alone', '/a/../b', '/a/../b'],
    ['no path', '', '/'],
    ['a query alone', '?b', '/?b'],
  ])('one for a whole address with %s, whatever its Host says', async (_, path, served) => {
    const own = 'HTTP://LOCALHOST:PORT';
    for (const host of ['', 'Host: evil.example\r\n', 'Host:\r\n'])
      expect(await send(get(`${own}${path}`, host + last))).toMatchObject([{ status: 200, body: served }]);
  });

  test('one for another protocol, and so is the next on its connection', async () => {
    const upgrade = get('/a', 'Connection: Upgrade\r\nUpgrade: websocket\r\n');
    const socket = await dialOwn(upgrade);
    await once(socket, 'readable');
    socket.write(withOwn(get('/b', last)));
    expect(await answersOn(socket)).toMatchObject([{ body: '/a' }, { body: '/b' }]);
  });
});

describe('pages of other sites are refused:', () => {
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

test.each([
  ['an address of another host', 'http://evil.example/a', '', 403],
  ['an address with a name before its host', 'http://127.0.0.1@evil.example/a', '', 403],
  ['an address without a host', 'http:///a', '', 403],
  ['two Hosts', '/a', 'Host: OWN\r\nHost: evil.example\r\n', 400],
  ['two Hosts, the other way round', '/a', 'Host: evil.example\r\nHOST: OWN\r\n', 400],
  ['the same Host twice', '/a', 'Host: OWN\r\nhost: OWN\r\n', 400],
])(
  'a request for %s is refused, and the message names what is allowed',
  async (_, target, headers, status) => {
    const [refused] = await send(get(target, headers + last));
    checkRefused(refused, status);
    expect(refused?.body).toMatchObject({ message: expect.stringMatching(/^The header Host must be /) });
  },
);

test.each(['/a', '/later'])(
  'a client that ends its half of the connection after a request for %s gets the answer',
  async (path) => {
    const socket = await dialOwn('');
    socket.end(withOwn(get('/b') + get(path)));
    expect(await answersOn(socket)).toMatchObject([{ body: '/b' }, { status: 200, body: path }]);
  },
);

describe('a request that does not end', () => {
  const impatience = { headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 20 };

  /** A server with the usual time limits until it is told to have no more patience. */
  async function listenForNow(): Promise<Listening & { hurry(): void }> {
    const patient = await listen(0, listener, { ...receiveTimeouts, connectionsCheckingInterval: 20 });
    onTestFinished(() => close(patient.server));
    return { ...patient, hurry: () => void Object.assign(patient.server, { ...impatience }) };
  }

  test.each(['headersTimeout', 'requestTimeout'] as const)('is refused within 30 seconds by %s', (limit) => {
    const { connectionsCheckingInterval } = receiveTimeouts;
    expect(receiveTimeouts[limit] + connectionsCheckingInterval).toBeLessThanOrEqual(30_000);
    expect(listening.server[limit]).toBe(receiveTimeouts[limit]);
  });

  test.each([
    ['a length', post('Content-Length: 1000', '{'), ' '],
    ['chunks', post('Transfer-Encoding: chunked', ''), '1\r\n \r\n'],
  ])('gets the error for a body with %s that never comes, or comes slowly', async (_, text, drop) => {
    const impatient = await listen(0, listener, impatience);
    onTestFinished(() => close(impatient.server));
    for (const piece of ['', drop]) {
      const socket = await dialOwn(text, impatient);
      const drip = setInterval(() => piece && socket.write(piece), 10);
      const replies = await answersOn(socket.on('error', () => {})).finally(() => clearInterval(drip));
      expect(replies).toHaveLength(1);
      checkRefused(replies[0], 400);
      expect(replies[0]?.body).toMatchObject({ message: 'The request did not arrive whole in time' });
    }
  });

  test('gets no second answer when it was answered before its body', async () => {
    const server = await listenForNow();
    const socket = await dialOwn(post('Origin: null\r\nContent-Length: 1000', '{'), server);
    await once(socket, 'readable');
    server.hurry();
    const replies = await answersOn(socket.on('error', () => {}));
    expect(replies).toMatchObject([{ status: 403 }]);
  });

  test.each([
    ['nothing at all', '', ''],
    ['a header every now and then', '', 'GET / HTTP/1.1\r\n'],
    ['another request after one that was answered', get('/a'), 'GET / HTTP/1.1\r\n'],
  ])('is refused also when it is %s', async (_, answered, text) => {
    const server = await listenForNow();
    const socket = await dialOwn(answered + text, server);
    if (answered !== '') await once(socket, 'readable');
    server.hurry();
    const drip = setInterval(() => text && socket.write('X: x\r\n'), 10);
    const replies = await answersOn(socket.on('error', () => {})).finally(() => clearInterval(drip));
    checkRefused(replies.at(-1), 400);
    expect(replies.at(-1)?.body).toMatchObject({ message: 'The request did not arrive whole in time' });
  });
});

describe('answers keep the order of requests', () => {
  test.each([
    ['nonsense', 'hello\r\n\r\n', 400],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\n\r\n', 404],
    ['an expectation', post('Expect: bogus\r\nContent-Length: 0', ''), 400],
    ['chunks that are none', post('Transfer-Encoding: chunked', 'ZZ\r\n'), 400],
  ])('also when %s comes before the answers to requests are ready', async (_, text, status) => {
    const replies = await send(get('/a') + get('/b') + text);
    expect(replies.slice(0, 2)).toMatchObject([{ body: '/a' }, { body: '/b' }]);
    expect(replies).toHaveLength(3);
    checkRefused(replies[2], status);
  });
});

describe('closing does not wait forever', () => {
  test.each([
    ['a connection that says nothing', ''],
    ['half a request', 'GET / HT'],
    ['half a body', post('Content-Length: 20', '{')],
    ['a request that is never answered', get('/hang')],
    ['a connection that is kept for later', get('/a')],
  ])('for %s', async (_, text) => {
    const connected = once(listening.server, 'connection');
    const socket = await dialOwn(text);
    const closed = once(
      socket.resume().on('error', () => {}),
      'close',
    );
    await connected;
    await close(listening.server);
    await closed;
  });
});
