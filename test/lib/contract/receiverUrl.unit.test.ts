import { describe, expect, test } from 'vitest';
import { problemsOf } from '../../../lib/values/problemMessages.ts';
import { receiverUrl } from '../../../lib/values/receiverUrl.ts';

const problems = (value: unknown): string[] => problemsOf(receiverUrl().safeParse(value).error);
const rule = 'must be an https URL of at most 2048 visible characters, as in https://example.com/hooks';

describe('the URL of a receiver', () => {
  test.each([
    ['https://example.com', 'https://example.com/'],
    ['HTTPS://Example.COM/Hooks?a=b&c=%20', 'https://example.com/Hooks?a=b&c=%20'],
    ['https://example.com:443/', 'https://example.com/'],
    ['https://example.com:8443/in', 'https://example.com:8443/in'],
    ['https://example.com./in', 'https://example.com./in'],
    ['https://example.com/x/../in', 'https://example.com/in'],
    ['https://example.com\\in', 'https://example.com/in'],
    ['https://example.com/a"b', 'https://example.com/a%22b'],
    ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
    ['https://ex%61mple.com/', 'https://example.com/'],
    ['https://@example.com/', 'https://example.com/'],
    ['https://8.8.8.8/in', 'https://8.8.8.8/in'],
    ['https://my_app-1.example.com/', 'https://my_app-1.example.com/'],
    ['https://internal.example.com', 'https://internal.example.com/'],
    ['https://local.internal.example', 'https://local.internal.example/'],
    [`https://example.com/${'x'.repeat(2028)}`, `https://example.com/${'x'.repeat(2028)}`],
    ['http://127.0.0.1', 'http://127.0.0.1/'],
    ['http://127.0.0.1:9001/in', 'http://127.0.0.1:9001/in'],
    ['http://localhost:9001/in', 'http://localhost:9001/in'],
    ['https://localhost:9001', 'https://localhost:9001/'],
    ['https://127.0.0.1:1', 'https://127.0.0.1:1/'],
    // Where these lead, lib/webhooks/sending/address.ts judges.
    ['https://10.0.0.1', 'https://10.0.0.1/'],
    ['https://127.1/', 'https://127.0.0.1/'],
  ])('may be %s, and is kept as it is read: %s', (url, kept) => {
    expect(receiverUrl().parse(` ${url}\n`)).toBe(kept);
    expect(receiverUrl().parse(kept)).toBe(kept);
  });

  test.each([
    '',
    'https://example.com/a b',
    'https://example.com/a\tb',
    'https://example.com/\u0000',
    'https://example.com/\ufffd',
    'https://example.com/\ud800',
    'https://example.com/\u2028a',
    'https://example.com/\u200ba',
    'https://example.com/\u202ea',
    `https://example.com/${'x'.repeat(2029)}`,
    `ftp://example.com/${'x'.repeat(2031)}`,
    ...[null, 1, ['https://example.com'], {}],
  ])('may not be %j, which is no URL of visible characters', (url) => {
    expect(problems(url)).toEqual([rule]);
  });

  const wrong = {
    scheme: /^must begin with https:\/\/ /,
    credentials: /^must have no user name and no password before its host$/,
    address: /^must have a name or an IPv4 address as its host: webhooks are sent over IPv4/,
    noHost: /^must have a valid name or IPv4 address of visible characters as its host$/,
    host: /^must have a host with a dot, without an empty part, that does not end in \.local, \.internal, \.localhost, \.arpa$/,
    port: /^must be on port 443 or 8443 \(the local stack takes 1 to 65535 for localhost and 127\.0\.0\.1\)$/,
    fragment: /^must have no fragment, /,
    length: /^must be at most 2048 characters when /,
  };

  test.each([
    ['ftp://example.com', 'scheme'],
    ['http://example.com', 'scheme'],
    ['http://8.8.8.8', 'scheme'],
    ['http://127.0.0.2', 'scheme'],
    ...['ftp', 'ws', 'wss', 'gopher', 'foo', 'file', 'javascript', 'httpss', 'https+x'].flatMap((scheme) => [
      [`${scheme}://127.0.0.1:8148/`, 'scheme'],
      [`${scheme}://localhost/%0aalert(1)`, 'scheme'],
      [`${scheme}://example.com:99999/`, 'scheme'],
    ]),
    ['file:///etc/passwd', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['example.com', 'scheme'],
    ['localhost:9001/in', 'scheme'],
    ['http:127.0.0.1:8148/y', 'scheme'],
    ['https:example.com', 'scheme'],
    ['https:/example.com', 'scheme'],
    ['https:\\\\example.com', 'scheme'],
    ['http:https://example.com', 'scheme'],
    ['https://', 'noHost'],
    ['https://#', 'noHost'],
    ['https://user@', 'noHost'],
    ['https://user:1@', 'noHost'],
    ['https://:443/', 'noHost'],
    ['https://256.1.1.1/', 'noHost'],
    ['https://1.2.3.256:99999', 'noHost'],
    ['https://user:pass@1.2.3.256', 'noHost'],
    ['https://exa mple.com/', 'noHost'],
    ['https://exam\nple.com', 'noHost'],
    ['https://exam\u00adple.com/ ä', 'noHost'],
    ['https://exa<mple.com', 'noHost'],
    ...['*.example.com', 'a!b.example.com', '$a.example.com', "a'.example.com", 'a,b.example.com'].map(
      (host) => [`https://${host}/`, 'noHost'],
    ),
    ['https://[::1', 'noHost'],
    ['https://[::g]:443', 'noHost'],
    ['https://user@example.com', 'credentials'],
    ['https://user:pass@example.com', 'credentials'],
    ['https://:pass@example.com', 'credentials'],
    ['http://user@127.0.0.1', 'credentials'],
    ['https://example.com#part', 'fragment'],
    ['https://example.com/#', 'fragment'],
    ['http://localhost/#a', 'fragment'],
    ['https://example.com:80', 'port'],
    ['https://example.com:444', 'port'],
    ...['example.com', 'localhost', '127.0.0.1'].flatMap((host) =>
      ['0', '00', '65536', '99999', '-1', 'abc', '443a', '%34', '١'].map((port) => [
        `https://${host}:${port}`,
        'port',
      ]),
    ),
    ...['/', '/a:b@c', '?a=b:c', '\\in'].map((rest) => [`http://localhost:65536${rest}`, 'port']),
    ['https://[::1]:65536', 'address', 'port'],
    ['http://me:you@intranet:abc/#here', 'scheme', 'credentials', 'host', 'port', 'fragment'],
    ['https://a:b:c', 'noHost'],
    ['https://example', 'host'],
    ['https://example.', 'host'],
    ['https://example.com..', 'host'],
    ['https://.com', 'host'],
    ['https://a..com', 'host'],
    ['https://printer.local', 'host'],
    ['https://printer.LOCAL.', 'host'],
    ['https://printer.local..', 'host'],
    ['https://printer．local', 'host'],
    ['https://ip-10-0-0-1.eu-central-1.compute.internal', 'host'],
    ['https://a.localhost', 'host'],
    ['https://1.0.0.127.in-addr.arpa', 'host'],
    ['https://[::1]', 'address'],
    ['https://[2606:4700:4700::1111]:8443/in', 'address'],
    ['https://[::ffff:8.8.8.8]', 'address'],
    [`https://example.com/${'ä'.repeat(400)}`, 'length'],
    ['http://a.localhost', 'scheme', 'host'],
    ['http://me:you@intranet:80/#here', 'scheme', 'credentials', 'host', 'fragment'],
    ['http://me@[::1]:9#', 'scheme', 'credentials', 'address', 'port', 'fragment'],
  ] as [string, ...(keyof typeof wrong)[]][])(
    'may not be %s, and each part that is wrong is named',
    (url, ...parts) => {
      expect(problems(url)).toEqual(parts.map((part) => expect.stringMatching(wrong[part])));
    },
  );

  test('is required', () => {
    expect(problems(undefined)).toEqual([`is required and ${rule}`]);
  });
});

test('the length of the stored URL is checked when everything else is valid', () => {
  const long = (port: string) => problems(`https://example.com${port}/${'ä'.repeat(1000)}`);
  expect(long('')).toEqual(['must be at most 2048 characters when what is not ASCII is encoded']);
  expect(long(':1')).toEqual([expect.stringMatching(/^must be on port 443/)]);
});
