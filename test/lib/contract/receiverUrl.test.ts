import { describe, expect, test } from 'vitest';
import { problemsOf } from '../../../lib/contract/problems.ts';
import { receiverUrl } from '../../../lib/contract/receiverUrl.ts';

const refusals = (value: unknown): string[] => problemsOf(receiverUrl().safeParse(value).error);
const rule = expect.stringMatching(/^must be an https URL of at most 2048 characters, on port 443 or 8443, /);

describe('the URL of a receiver', () => {
  test.each([
    'https://example.com',
    'HTTPS://Example.COM/Hooks?a=b&c=%20',
    'https://example.com:443/',
    'https://example.com:8443/in',
    'https://example.com./in',
    'https://bücher.example/ä',
    'https://8.8.8.8/in',
    'https://internal.example.com',
    'https://local.internal.example',
    `https://example.com/${'x'.repeat(2028)}`,
    'http://127.0.0.1',
    'http://127.0.0.1:9001/in',
    'http://localhost:9001/in',
    'https://localhost:9001',
    'https://127.0.0.1:1',
    // Where these lead, lib/webhooks/address.ts judges.
    'https://10.0.0.1',
    'https://127.1/',
  ])('may be %s, and is kept as it was written', (url) => {
    expect(receiverUrl().parse(` ${url}\n`)).toBe(url);
  });

  test.each([
    '',
    'example.com',
    'https:example.com',
    'https:/example.com',
    'https://',
    'ftp://example.com',
    'http://example.com',
    'http://8.8.8.8',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://user@example.com',
    'https://user:pass@example.com',
    'https://:pass@example.com',
    'https://example.com#part',
    'https://example.com/#',
    'https://example.com:80',
    'https://example.com:444',
    'https://example.com:0',
    'https://example.com:99999',
    'https://example',
    'https://example.',
    'https://example.com..',
    'https://.com',
    'https://a..com',
    'https://printer.local',
    'https://printer.LOCAL.',
    'https://printer.local..',
    'https://printer．local',
    'https://ip-10-0-0-1.eu-central-1.compute.internal',
    'https://a.localhost',
    'http://a.localhost',
    'http://localhost.localhost',
    'https://1.0.0.127.in-addr.arpa',
    'https://[::1]',
    'https://[2606:4700:4700::1111]',
    'http://127.0.0.2',
    'http://user@127.0.0.1',
    'http://localhost/#a',
    'https://exa mple.com',
    'https://example.com/a b',
    'https://example.com/a\tb',
    'https://exam\nple.com',
    'https://example.com/\u0000',
    'https://example.com/\ufffd',
    'https://example.com/\ud800',
    'https://example.com/\u2028a',
    `https://example.com/${'x'.repeat(2029)}`,
  ])('may not be %j, and the refusal says so once', (url) => {
    expect(refusals(url)).toEqual([rule]);
  });

  test.each([null, 1, ['https://example.com'], {}])('may not be %j', (value) => {
    expect(refusals(value)).toEqual([rule]);
  });

  test('is required', () => {
    expect(refusals(undefined)).toEqual([expect.stringMatching(/^is required and must be an https URL/)]);
  });
});
