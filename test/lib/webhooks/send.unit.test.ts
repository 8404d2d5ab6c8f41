import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Attempt } from '../../../lib/webhooks/model/delivery.ts';
import { openRequest } from '../../../lib/webhooks/sending/receiverConnection.ts';
import { send } from '../../../lib/webhooks/sending/send.ts';
import { passed } from '../../support/faults/platform.ts';
import {
  answer,
  aReceiver,
  aServer,
  type Behaviour,
  certificate,
  drips,
  endsAfter,
  floods,
  gzipBomb,
  inBytes,
  neverAnswers,
  type Receiver,
  resetsAfter,
  stopsAfter,
} from '../../support/http/receivers.ts';

beforeEach(() => {
  vi.stubEnv('ALLOW_LOOPBACK_RECEIVERS', '1');
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const over = new AbortController();
    void passed(ms).then(() => over.abort(new DOMException('out of time', 'TimeoutError')));
    return over.signal;
  });
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const message = { headers: { 'webhook-id': 'evt_1', 'Content-Type': 'application/json' }, body: '{"ä":1}' };
/** For receivers that never answer in full. */
const soon = { timeoutMs: 300 };
/** How a server of HTTP/2 begins (RFC 9113, 6.5). */
const settingsFrame = Buffer.from('000006040000000000000300000064', 'hex');
const ok = endsAfter(answer('200 OK', [], 'fine'));

async function attemptAt(receiver: Receiver, origin: string, options = {}): Promise<Attempt> {
  const { attempt } = await send({ ...message, url: `${origin}:${receiver.port}/in?a=b` }, options);
  await receiver.idle();
  return attempt;
}

/** Trusts these certificates until the test has ended. */
function trust(...names: Parameters<typeof certificate>[0][]): void {
  const before = getCACertificates('default');
  onTestFinished(() => setDefaultCACertificates(before));
  setDefaultCACertificates([...before, ...names.map(certificate)]);
}

/** Sends to a receiver that does this; its connection is closed in the end. */
async function attemptAgainst(behaviour: Behaviour, options = {}): Promise<Attempt> {
  return attemptAt(await aReceiver(behaviour), 'http://127.0.0.1', options);
}

describe('a receiver that answers', () => {
  test('gets one POST with our headers and the very bytes of the body', async () => {
    const receiver = await aReceiver(ok);
    const attempt = await attemptAt(receiver, 'http://127.0.0.1');
    const [head, body] = (receiver.requests[0] as string).split('\r\n\r\n');
    expect(receiver.requests).toHaveLength(1);
    expect(body).toBe(message.body);
    expect((head as string).split('\r\n').sort()).toEqual(
      [
        'POST /in?a=b HTTP/1.1',
        `Host: 127.0.0.1:${receiver.port}`,
        'webhook-id: evt_1',
        'Content-Type: application/json',
        'Accept-Encoding: identity',
        'Content-Length: 8',
        'Connection: close',
      ].sort(),
    );
    expect(attempt).toEqual({
      started_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      duration_ms: expect.toSatisfy(Number.isSafeInteger),
      http_status: 200,
      outcome: 'success',
      reason: null,
      response_excerpt: 'fine',
    });
  });

  test.each([
    ['200 OK', 'success'],
    ['204 No Content', 'success'],
    ['299 Whatever', 'success'],
    ['300 Multiple Choices', 'http_error'],
    ['301 Moved Permanently', 'redirect'],
    ['302 Found', 'redirect'],
    ['303 See Other', 'redirect'],
    ['304 Not Modified', 'http_error'],
    ['307 Temporary Redirect', 'redirect'],
    ['308 Permanent Redirect', 'redirect'],
    ['400 Bad Request', 'http_error'],
    ['410 Gone', 'http_error'],
    ['500 Internal Server Error', 'http_error'],
    ['999 Whatever', 'http_error'],
  ])('with %s makes the attempt a %s', async (status, outcome) => {
    expect(await attemptAgainst(endsAfter(`HTTP/1.1 ${status}\r\n\r\n`))).toMatchObject({
      http_status: Number(status.slice(0, 3)),
      outcome,
      response_excerpt: null,
    });
  });

  test.each(['120', 'Wed, 21 Oct 2026 07:28:00 GMT'])(
    'with 429 has its Retry-After %s passed on unchanged',
    async (value) => {
      const receiver = await aReceiver(endsAfter(answer('429 Too Many Requests', [`Retry-After: ${value}`])));
      const sent = await send({ ...message, url: `http://127.0.0.1:${receiver.port}` });
      expect(sent).toMatchObject({ attempt: { http_status: 429 }, retryAfter: value });
    },
  );

  test('with a redirect is not followed, not even to itself', async () => {
    const receiver = await aReceiver((socket) => socket.end(answer('302 Found', ['Location: /in?a=b'])));
    expect(await attemptAt(receiver, 'http://127.0.0.1')).toMatchObject({
      http_status: 302,
      outcome: 'redirect',
      response_excerpt: '(a redirect to /in?a=b)',
    });
    expect(receiver.requests).toHaveLength(1);
  });

  test('with an interim answer first has the final one counted', async () => {
    const interim = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
    expect(await attemptAgainst(endsAfter(`${interim}${answer('202 Accepted')}`))).toMatchObject({
      http_status: 202,
      outcome: 'success',
    });
  });

  test('without a Content-Length can end its answer by closing', async () => {
    expect(await attemptAgainst(endsAfter('HTTP/1.1 200 OK\r\n\r\nall of it'))).toMatchObject({
      outcome: 'success',
      response_excerpt: 'all of it',
    });
  });

  const chunked = 'Transfer-Encoding: chunked\r\n\r\n';
  /** Each is a complete answer behind its status line. Sent at once, in single bytes, and with a reset after it. */
  const complete = [
    ['no body', 'Content-Length: 0\r\n\r\n', null],
    ['a body', 'Content-Length: 4\r\n\r\nfine', 'fine'],
    ['a chunked body', `${chunked}4\r\nfine\r\n0\r\n\r\n`, 'fine'],
    ['an empty chunked body', `${chunked}0\r\n\r\n`, null],
    ['a line break behind its body', 'Content-Length: 4\r\n\r\nfine\r\n', 'fine'],
    ['bytes behind its body', 'Content-Length: 4\r\n\r\nfineXXXX', 'fine'],
    ['bytes behind its last chunk', `${chunked}4\r\nfine\r\n0\r\n\r\nXX`, 'fine'],
    ['another answer behind it', 'Content-Length: 4\r\n\r\nfineHTTP/1.1 500 X\r\n\r\n', 'fine'],
    [
      'headers of 60 KB',
      `${`X-A: ${'x'.repeat(10_000)}\r\n`.repeat(6)}Content-Length: 4\r\n\r\nfine`,
      'fine',
    ],
  ] as const;
  const statuses = ['200 OK', '201 Created', '299 Whatever', '302 Found', '410 Gone', '500 Oh'];
  describe.each(statuses)('with %s', (status) => {
    test.each(complete)('and %s has answered', async (_, rest, response_excerpt) => {
      for (const version of ['1.0', '1.1'])
        for (const sends of [endsAfter, inBytes, resetsAfter])
          expect(await attemptAgainst(sends(`HTTP/${version} ${status}\r\n${rest}`))).toMatchObject({
            http_status: Number(status.slice(0, 3)),
            outcome: status.startsWith('2') ? 'success' : status === '302 Found' ? 'redirect' : 'http_error',
            response_excerpt,
          });
    });
  });

  test.each([
    ['a length and a body', 'Content-Length: 2\r\n\r\n{}'],
    ['an empty chunk', 'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ])('with 204 or 304, which have no body, and %s has answered', async (_, rest) => {
    for (const [status, outcome] of [
      [204, 'success'],
      [304, 'http_error'],
    ] as const)
      for (const sends of [endsAfter, inBytes, resetsAfter])
        expect(await attemptAgainst(sends(`HTTP/1.1 ${status} X\r\n${rest}`))).toMatchObject({
          http_status: status,
          outcome,
          response_excerpt: null,
        });
  });

  test('without closing is not waited for', async () => {
    expect(await attemptAgainst(stopsAfter(answer('200 OK', [], 'fine').toString()))).toMatchObject({
      outcome: 'success',
    });
  });
});

describe('a receiver that sends too much', () => {
  test('has its status counted, and is read only for a short time', async () => {
    const receiver = await aReceiver(floods('HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(65_536)));
    const attempt = await attemptAt(receiver, 'http://127.0.0.1');
    expect(attempt).toMatchObject({ http_status: 200, outcome: 'success' });
    expect(attempt.response_excerpt).toBe('x'.repeat(1024));
    // The buffers of two sockets hold less than fifteen seconds bring.
    expect(receiver.sent()).toBeLessThan(32 * 1024 * 1024);
  });

  test('in a compressed form has nothing decompressed', async () => {
    const bomb = endsAfter(answer('200 OK', ['Content-Encoding: gzip'], gzipBomb()));
    expect(await attemptAgainst(bomb)).toMatchObject({
      http_status: 200,
      outcome: 'success',
      response_excerpt: '(a body with Content-Encoding gzip, which is not unpacked)',
    });
  });

  test('as its Content-Encoding has it shown as text of at most 1024 bytes', async () => {
    const bomb = answer('200 OK', [`Content-Encoding: g\x80${'z'.repeat(2000)}`], 'x');
    const { response_excerpt } = await attemptAgainst(endsAfter(bomb));
    expect(response_excerpt).toMatch(/^\(a body with Content-Encoding g[^z\p{C}]+z+$/u);
    expect(Buffer.byteLength(response_excerpt as string)).toBeLessThanOrEqual(1024);
  });

  test.each([
    ['one huge header', floods('HTTP/1.1 200 OK\r\nX-A: ', 'x'.repeat(1024)), 'headers_too_large'],
    ['headers without end', floods('HTTP/1.1 200 OK\r\n', 'X-A: b\r\n'.repeat(100)), 'headers_too_large'],
    ['an endless status line', floods('HTTP/1.1 200 ', 'x'.repeat(1024)), 'headers_too_large'],
    [
      'an endless chunk extension',
      floods('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;', 'x'.repeat(1024)),
      'malformed',
    ],
    [
      'trailers without end',
      floods('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n', 'X-A: b\r\n'.repeat(100)),
      'headers_too_large',
    ],
  ])('as %s is cut off', async (_, behaviour, reason) => {
    expect(await attemptAgainst(behaviour)).toMatchObject({ outcome: 'protocol_error', reason });
  });

  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
  const interim = 'HTTP/1.1 103 Early Hints\r\n\r\n';
  const large = `HTTP/1.1 103 Early Hints\r\nX-A: ${'x'.repeat(12_000)}\r\n\r\n`;
  /** Each is endless, and within the limits of Node's parser. */
  test.each([
    ['interim answers', '', interim],
    ['interim answers of 100', '', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['large interim answers', '', large],
    ['chunks of one byte with large extensions', head, `1;${'x'.repeat(12_000)}\r\na\r\n`],
    ['line breaks before an answer', '', '\r\n'.repeat(1000)],
  ])('of %s is cut off, over HTTP and over TLS', async (_, first, more) => {
    trust('localhost');
    for (const [origin, pem] of [
      ['http://localhost', undefined],
      ['https://localhost', certificate('localhost')],
    ] as const) {
      const receiver = await aReceiver(floods(first, more), pem);
      expect(await attemptAt(receiver, origin)).toMatchObject({
        outcome: 'protocol_error',
        reason: 'malformed',
      });
      // The buffers of two sockets hold less than fifteen seconds bring.
      expect(receiver.sent()).toBeLessThan(8 * 1024 * 1024);
    }
  });

  test('of interim answers may send ten', async () => {
    const answers = (count: number) => endsAfter(`${interim.repeat(count)}${answer('200 OK', [], 'fine')}`);
    expect((await attemptAgainst(answers(10))).outcome).toBe('success');
    expect((await attemptAgainst(answers(11))).outcome).toBe('protocol_error');
  });

  test('of interim answers has few of them parsed after the end, over HTTP and over TLS', async () => {
    trust('localhost');
    for (const [protocol, pem] of [
      ['http', undefined],
      ['https', certificate('localhost')],
    ] as const) {
      const { port } = await aReceiver(endsAfter('HTTP/1.1 100 \r\n\r\n'.repeat(3000)), pem);
      const addresses = [{ address: '127.0.0.1', family: 4 }];
      const request = openRequest(new URL(`${protocol}://localhost:${port}`), {}, addresses);
      let parsed = 0;
      request
        .on('information', () => {
          parsed++;
          request.destroy();
        })
        .on('error', () => {})
        .end();
      await new Promise((resolve) => request.on('close', resolve));
      expect(parsed).toBeGreaterThan(0);
      expect(parsed).toBeLessThan(20);
    }
  });

  test.each([
    ['change_cipher_spec', '140303000101'],
    ['warnings', '15030300020164'],
    ['requests to begin again', '160303000400000000'],
  ])('of records of TLS with %s is cut off', async (_, record) => {
    const records = Buffer.from(record.repeat(1000), 'hex');
    const server = await aServer((socket) => floods(records, records)(socket, ''));
    expect((await attemptAt(server, 'https://localhost')).outcome).toMatch(/^(protocol|tls)_error$/);
    expect(server.sent()).toBeLessThan(8 * 1024 * 1024);
  });
});

describe('a receiver that is slow', () => {
  test.each([
    ['never answers', neverAnswers, null, null],
    ['stops after an interim answer', stopsAfter('HTTP/1.1 100 Continue\r\n\r\n'), null, null],
    ['drips its headers', drips('HTTP/1.1 200 OK\r\n', 'X-A: b\r\n'), null, null],
    ['drips its body', drips('HTTP/1.1 200 OK\r\n\r\n', '.'), 200, expect.stringMatching(/^\.+$/)],
    ['stops in its body', stopsAfter('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nfin'), 200, 'fin'],
  ])('and %s is out of time', async (_, behaviour, http_status, response_excerpt) => {
    expect(await attemptAgainst(behaviour, soon)).toMatchObject({
      http_status,
      outcome: 'timeout',
      response_excerpt,
    });
  });

  test('and reads nothing of a large body is out of time', async () => {
    const receiver = await aServer((socket) => socket.pause());
    const url = `http://127.0.0.1:${receiver.port}`;
    const { attempt } = await send({ ...message, url, body: 'x'.repeat(32 * 1024 * 1024) }, soon);
    expect(attempt.outcome).toBe('timeout');
  });

  test.each(['410 Gone', '302 Found'])('after its status %s keeps that status', async (status) => {
    const { http_status, outcome } = await attemptAgainst(drips(`HTTP/1.1 ${status}\r\n\r\n`, '.'), soon);
    expect({ http_status, outcome }).toEqual({
      http_status: Number(status.slice(0, 3)),
      outcome: status === '410 Gone' ? 'http_error' : 'redirect',
    });
  });

  test('in the DNS is out of time', async () => {
    const resolve = () => new Promise<never>(() => {});
    const { attempt } = await send({ ...message, url: 'https://hooks.example.com' }, { ...soon, resolve });
    expect(attempt).toMatchObject({ outcome: 'timeout', http_status: null, response_excerpt: null });
  });
});

describe('a connection that fails', () => {
  test.each([
    ['is reset before an answer', resetsAfter(''), null, 'reset'],
    ['is closed before an answer', endsAfter(''), null, 'cut'],
    ['is reset within the status line', resetsAfter('HTTP/1.1 20'), null, 'reset'],
    ['is reset within the headers', resetsAfter('HTTP/1.1 200 OK\r\nX-A: b\r\n'), null, 'reset'],
    [
      'is reset after the headers of a 200',
      resetsAfter('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n'),
      200,
      'reset',
    ],
    ['is reset in a 200 without a length', resetsAfter('HTTP/1.1 200 OK\r\n\r\nfin'), 200, 'reset'],
    [
      'is closed too early in a 200',
      endsAfter('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nfin'),
      200,
      'cut',
    ],
    [
      'is closed between chunks',
      endsAfter('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nfin\r\n'),
      200,
      'cut',
    ],
    [
      'is to become another protocol',
      endsAfter('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
      null,
      'cut',
    ],
  ])('because it %s is a connection_error', async (_, behaviour, http_status, reason) => {
    expect(await attemptAgainst(behaviour)).toMatchObject({
      outcome: 'connection_error',
      http_status,
      reason,
    });
  });

  test.each([
    [
      'an invalid chunk',
      endsAfter('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'),
      200,
      'malformed',
    ],
    ['garbage', endsAfter('\u0000\u0001 SSH-2.0-OpenSSH\r\n\r\n'), null, 'not_http'],
    ['the greeting of SSH', endsAfter('SSH-2.0-OpenSSH\r\n'), null, 'not_http'],
    ['HTML without headers', endsAfter('<html>fine</html>\r\n'), null, 'not_http'],
    ['a frame of HTTP/2', endsAfter(settingsFrame), null, 'http2'],
    ['a status below 100', endsAfter('HTTP/1.1 099 Odd\r\n\r\n'), 99, 'malformed'],
    ['a header without a name', endsAfter('HTTP/1.1 200 OK\r\n: a\r\n\r\n'), null, 'malformed'],
    [
      'two lengths',
      endsAfter('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'),
      null,
      'malformed',
    ],
    [
      'another protocol, but not which',
      endsAfter('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
      101,
      'malformed',
    ],
  ])('because it brings %s is a protocol_error', async (_, behaviour, http_status, reason) => {
    expect(await attemptAgainst(behaviour)).toMatchObject({ outcome: 'protocol_error', http_status, reason });
  });

  test('because no server listens is a connection_error', async () => {
    const { attempt } = await send({ ...message, url: 'http://127.0.0.1:1' });
    expect(attempt).toMatchObject({ outcome: 'connection_error', http_status: null, reason: 'refused' });
  });

  test('in the body of a 410 keeps the 410', async () => {
    const gone = resetsAfter('HTTP/1.1 410 Gone\r\nContent-Length: 9\r\n\r\n');
    expect(await attemptAgainst(gone)).toMatchObject({ outcome: 'http_error', http_status: 410 });
  });
});

describe('an address', () => {
  test('that is not public gets nothing, and the outcome of the attempt shows it', async () => {
    vi.stubEnv('ALLOW_LOOPBACK_RECEIVERS', undefined);
    const receiver = await aReceiver(ok);
    for (const host of ['127.0.0.1', '2130706433', '[::1]', '[::ffff:7f00:1]', 'localhost'])
      expect(await attemptAt(receiver, `https://${host}`)).toMatchObject({
        outcome: 'blocked_address',
        http_status: null,
        response_excerpt: null,
      });
    expect(receiver.requests).toEqual([]);
  });

  test('that cannot be found is a dns_error', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    const { attempt } = await send({ ...message, url: 'https://nowhere.example.com' }, { resolve });
    expect(attempt).toMatchObject({ outcome: 'dns_error', http_status: null, response_excerpt: null });
  });

  test('is resolved once, and only that address is connected to, whatever the DNS answers later', async () => {
    const receiver = await aReceiver(ok);
    const resolve = vi
      .fn()
      .mockResolvedValueOnce([{ address: '127.0.0.2', family: 4 }])
      .mockResolvedValue([{ address: '127.0.0.1', family: 4 }]);
    expect((await attemptAt(receiver, 'http://localhost', { resolve })).outcome).toBe('connection_error');
    expect(resolve.mock.calls).toEqual([['localhost']]);
    expect(receiver.requests).toEqual([]);
  });

  test('that does not answer is followed by the next checked address', async () => {
    const receiver = await aReceiver(ok);
    const resolve = async () => [
      { address: '::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ];
    expect((await attemptAt(receiver, 'http://localhost', { resolve })).outcome).toBe('success');
    expect(receiver.requests[0]).toContain(`Host: localhost:${receiver.port}\r\n`);
  });
});

describe('over TLS', () => {
  beforeEach(() => trust('localhost', 'elsewhere', 'expired'));

  test('a receiver with a certificate for its name gets the request', async () => {
    const receiver = await aReceiver(ok, certificate('localhost'));
    expect(await attemptAt(receiver, 'https://localhost')).toMatchObject({
      outcome: 'success',
      response_excerpt: 'fine',
    });
    expect(receiver.requests[0]).toContain(`Host: localhost:${receiver.port}\r\n`);
  });

  test('a name that ends in a dot is the same name', async () => {
    const receiver = await aReceiver(ok, certificate('localhost'));
    expect((await attemptAt(receiver, 'https://localhost.')).outcome).toBe('success');
  });

  test.each([
    ['that nobody vouches for', 'unknown', 'https://localhost', 'self_signed'],
    ['of another name', 'elsewhere', 'https://localhost', 'name_mismatch'],
    ['that has no address in it', 'localhost', 'https://127.0.0.1', 'name_mismatch'],
    ['that has expired', 'expired', 'https://localhost', 'certificate_expired'],
  ] as const)(
    'a certificate %s gets nothing, whatever the process allows',
    async (_, name, origin, reason) => {
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
      vi.spyOn(process, 'emitWarning').mockReturnValue();
      const receiver = await aReceiver(ok, certificate(name));
      expect(await attemptAt(receiver, origin)).toMatchObject({
        outcome: 'tls_error',
        http_status: null,
        reason,
      });
      expect(receiver.requests).toEqual([]);
    },
  );

  test('a server that speaks plain HTTP is a tls_error', async () => {
    const server = await aServer((socket) => socket.end(answer('400 Bad Request')));
    expect(await attemptAt(server, 'https://localhost')).toMatchObject({
      outcome: 'tls_error',
      reason: 'not_tls',
    });
  });

  test('a server that says nothing is out of time', async () => {
    const server = await aServer(() => {});
    expect((await attemptAt(server, 'https://localhost', soon)).outcome).toBe('timeout');
  });

  test('a server that speaks only HTTP/2 is told from one that refuses', async () => {
    const pem = certificate('localhost');
    const server = createSecureServer({ key: pem, cert: pem }, (_, response) => response.end('fine'));
    server.on('sessionError', () => {});
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { attempt } = await send({ ...message, url: `https://localhost:${port}` });
    expect(attempt).toMatchObject({ outcome: 'protocol_error', http_status: null, reason: 'http2' });
  });

  test('a server that closes the connection is a connection_error', async () => {
    const server = await aServer((socket) => socket.resetAndDestroy());
    expect((await attemptAt(server, 'https://localhost')).outcome).toBe('connection_error');
  });

  test('an answer that drips is out of time, and one that is endless is cut off', async () => {
    const slow = await aReceiver(drips('HTTP/1.1 200 OK\r\n\r\n', '.'), certificate('localhost'));
    expect((await attemptAt(slow, 'https://localhost', soon)).outcome).toBe('timeout');
    const endless = floods('HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(65_536));
    const loud = await aReceiver(endless, certificate('localhost'));
    expect((await attemptAt(loud, 'https://localhost')).outcome).toBe('success');
  });
});
