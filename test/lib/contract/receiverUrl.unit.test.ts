import { describe, expect, test } from 'vitest';
import { problemsOf } from '../../../lib/schemas/problemMessages.ts';
import { receiverUrl } from '../../../lib/schemas/receiverUrl.ts';

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
    ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
    ['https://ex%61mple.com/', 'https://example.com/'],
    ['https://8.8.8.8/in', 'https://8.8.8.8/in'],
    ['https://my_app-1.example.com/', 'https://my_app-1.example.com/'],
    ['https://internal.example.com', 'https://internal.example.com/'],
    ['https://local.internal.example', 'https://local.internal.example/'],
    [`https://example.com/${'x'.repeat(2028)}`, `https://example.com/${'x'.repeat(2028)}`],
    ['http://127.0.0.1:9001/in', 'http://127.0.0.1:9001/in'],
    ['http://localhost:9001/in', 'http://localhost:9001/in'],
    // Where these lead, lib/webhooks/sending/receiverAddress.ts judges.
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
    'https://example.com/\ud800',
    'https://example.com/\u202ea',
    `https://example.com/${'x'.repeat(2029)}`,
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

  type Part = keyof typeof wrong;
  const listed = (part: Part, urls: string) => urls.split(' ').map((url): [string, Part] => [url, part]);

  test.each<[string, ...Part[]]>([
    ...listed(
      'scheme',
      'http://example.com http://127.0.0.2 file:///etc/passwd javascript:alert(1) example.com',
    ),
    ...listed('scheme', 'localhost:9001/in http:127.0.0.1:8148/y https:example.com https:/example.com'),
    ...listed('scheme', 'https:\\\\example.com http:https://example.com httpss://localhost/%0aalert(1)'),
    ...listed('scheme', 'ftp://127.0.0.1:8148/ foo://example.com:99999/ https+x://localhost/'),
    ...listed(
      'noHost',
      'https:// https://# https://user:1@ https://:443/ https://1.2.3.256:99999 https://a:b:c',
    ),
    ...listed('noHost', 'https://user:pass@1.2.3.256 https://exa<mple.com https://[::1 https://[::g]:443'),
    ...listed(
      'noHost',
      "https://*.example.com/ https://a!b.example.com/ https://$a.example https://a'.example",
    ),
    ['https://exa mple.com/', 'noHost'],
    ['https://exam\nple.com', 'noHost'],
    ['https://exam\u00adple.com/ ä', 'noHost'],
    ...listed('credentials', 'https://user@example.com https://:pass@example.com http://user@127.0.0.1'),
    ...listed('fragment', 'https://example.com#part https://example.com/# http://localhost/#a'),
    ...listed('port', 'https://example.com:80 https://example.com:444 http://localhost:65536?a=b:c'),
    ...['example.com', 'localhost', '127.0.0.1'].flatMap((host) =>
      ['0', '00', '65536', '99999', '-1', 'abc', '443a', '%34', '١'].map((port): [string, Part] => [
        `https://${host}:${port}`,
        'port',
      ]),
    ),
    ...listed('host', 'https://example https://example. https://example.com.. https://.com https://a..com'),
    ...listed(
      'host',
      'https://printer.LOCAL. https://printer.local.. https://printer．local https://a.localhost',
    ),
    ...listed('host', 'https://ip-10-0-0-1.compute.internal https://1.0.0.127.in-addr.arpa'),
    ...listed('address', 'https://[::1] https://[2606:4700:4700::1111]:8443/in https://[::ffff:8.8.8.8]'),
    [`https://example.com/${'ä'.repeat(400)}`, 'length'],
    ['https://[::1]:65536', 'address', 'port'],
    ['http://me:you@intranet:abc/#here', 'scheme', 'credentials', 'host', 'port', 'fragment'],
    ['http://me@[::1]:9#', 'scheme', 'credentials', 'address', 'port', 'fragment'],
  ])('may not be %s, and each part that is wrong is named', (url, ...parts) => {
    expect(problems(url)).toEqual(parts.map((part) => expect.stringMatching(wrong[part])));
  });

  test('is required', () => {
    expect(problems(undefined)).toEqual([`is required and ${rule}`]);
  });
});

test('the length of the stored URL is checked when everything else is valid', () => {
  const long = (port: string) => problems(`https://example.com${port}/${'ä'.repeat(1000)}`);
  expect(long('')).toEqual(['must be at most 2048 characters when what is not ASCII is encoded']);
  expect(long(':1')).toEqual([expect.stringMatching(/^must be on port 443/)]);
});
