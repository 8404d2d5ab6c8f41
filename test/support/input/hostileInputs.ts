// Input of an attacker, or of a client of another protocol, to a port.

const megabyte = 'x'.repeat(1_048_576);

const paths = [
  '/%',
  '/?%',
  '/%00',
  '//',
  '/../../etc/passwd',
  '*',
  'http://evil.example/v1/contacts',
  '/v1/contacts/%',
  '/v1/contacts/%zz?%=%',
  '/docs/%',
  '/docs/..%2f..%2fpackage.json',
  '/2015-03-31/functions/%/invocations',
  '/2015-03-31/functions/__proto__/invocations',
  '/restapis/%/stages/%zz/cache/authorizers',
];

const bodies = [
  '',
  'null',
  '[]',
  '"',
  '{"QueueUrl":{}}',
  '{"Entries":{"a":1}}',
  '{"TableName":null}',
  '['.repeat(100_000),
  megabyte,
];

const targets = [
  ...['SendMessage', 'SendMessageBatch', 'ReceiveMessage', 'CreateQueue', 'nope'].map(
    (name) => `AmazonSQS.${name}`,
  ),
  ...['PutItem', 'Scan', 'TransactWriteItems', 'nope'].map((name) => `DynamoDB_20120810.${name}`),
];

/** A request whose body comes with its length. */
const whole = (method: string, path: string, headers: string, body = ''): string =>
  `${method} ${path} HTTP/1.1\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/**
 * @param headers header lines for each of them, with which a request is accepted
 * @returns the name of each input, and its pieces, which are sent one after the other on a new connection
 */
export function hostileInputs(headers: string): [name: string, pieces: string[]][] {
  const begun = (lines: string) => `POST / HTTP/1.1\r\n${headers}${lines}\r\n`;
  return [
    ...paths.flatMap((path) =>
      ['GET', 'POST', 'DELETE', 'OPTIONS'].map((method): [string, string[]] => [
        `${method} ${path}`,
        [whole(method, path, headers)],
      ]),
    ),
    ...targets.flatMap((target) =>
      bodies.map((body): [string, string[]] => [
        `${target} with ${body.slice(0, 20)}`,
        [
          whole(
            'POST',
            '/',
            `${headers}Content-Type: application/x-amz-json-1.0\r\nX-Amz-Target: ${target}\r\nX-Amzn-Trace-Id: ;=;\r\n`,
            body,
          ),
        ],
      ]),
    ),
    ['a header of a megabyte', [`GET / HTTP/1.1\r\n${headers}X: `, megabyte, '\r\n\r\n']],
    ['ten thousand headers', [`GET / HTTP/1.1\r\n${headers}`, 'X: x\r\n'.repeat(10_000), '\r\n']],
    ['a header without a name', [begun(': x\r\n')]],
    ['a header with a zero byte', [begun('X: \0\r\n')]],
    ['an address of a megabyte', ['GET /', megabyte, ` HTTP/1.1\r\n${headers}\r\n`]],
    ['no HTTP', ['hello\r\n\r\n']],
    ['zero bytes', ['\0'.repeat(100_000)]],
    ['the beginning of TLS', ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03']],
    ['the beginning of HTTP/2', ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0']],
    ['HTTP/0.9', ['GET /\r\n\r\n']],
    ['HTTP/1.0', ['GET / HTTP/1.0\r\n\r\n']],
    ['HTTP/9.9', ['GET / HTTP/9.9\r\n\r\n']],
    ['no Host', ['GET / HTTP/1.1\r\n\r\n']],
    ['two Hosts', [`GET / HTTP/1.1\r\n${headers}Host: evil.example\r\n\r\n`]],
    ['CONNECT', [`CONNECT example.com:443 HTTP/1.1\r\n${headers}\r\n`, 'hello']],
    ['a method that is none', [`FOO / HTTP/1.1\r\n${headers}\r\n`]],
    ['WebSocket', [begun('Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n'), 'hello']],
    [
      'HTTP/2 in clear',
      [begun('Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n')],
    ],
    ['an expectation', [begun('Expect: bogus\r\nContent-Length: 2\r\n'), '{}']],
    ['a wait to go on', [begun('Expect: 100-continue\r\nContent-Length: 2\r\n'), '{}']],
    ['a thousand requests at once', [`GET / HTTP/1.1\r\n${headers}\r\n`.repeat(1000)]],
    ['a body of 20 MB', [begun('Content-Length: 20971520\r\n'), ...Array(20).fill(megabyte)]],
    [
      'chunks of 20 MB without an end',
      [begun('Transfer-Encoding: chunked\r\n'), ...Array(20).fill(`100000\r\n${megabyte}\r\n`)],
    ],
    ['chunks that are none', [begun('Transfer-Encoding: chunked\r\n'), 'ZZ\r\n']],
    ['a chunk without an end of its size', [begun('Transfer-Encoding: chunked\r\n'), 'f'.repeat(100_000)]],
    ['an encoding that is none', [begun('Transfer-Encoding: gzip\r\n'), 'x']],
    ['a length and chunks', [begun('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n'), '0\r\n\r\n']],
    ...['-1', 'abc', '1e3', '99999999999999999999', '2\r\nContent-Length: 3'].map(
      (length): [string, string[]] => [
        `the length ${length}`,
        [begun(`Content-Length: ${length}\r\n`), '{}'],
      ],
    ),
    ['a body that ends too soon', [begun('Content-Length: 20\r\n'), '{']],
  ];
}
