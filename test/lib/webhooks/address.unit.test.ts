import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  addressProblem,
  isPublicAddress,
  type LookupAddress,
  loopbackAllowed,
  resolveReceiver,
} from '../../../lib/webhooks/sending/receiverAddress.ts';

beforeEach(() => {
  vi.stubEnv('ALLOW_LOOPBACK_RECEIVERS', undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const allowLoopback = () => vi.stubEnv('ALLOW_LOOPBACK_RECEIVERS', '1');
const at = (...addresses: string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
/** A DNS that knows one answer to everything. */
const dns = (...addresses: string[]) => vi.fn(async () => at(...addresses));
const blocked = { refused: 'blocked' };
const resolve = (url: string, resolver = dns('8.8.8.8')) =>
  resolveReceiver(new URL(url), AbortSignal.timeout(5000), resolver);

// Those of Smokescreen and of Svix, and the first and last addresses of what IANA sets apart.
// https://www.iana.org/assignments/iana-ipv4-special-registry https://www.iana.org/assignments/iana-ipv6-special-registry
const notPublic = {
  'this network': ['0.0.0.0', '0.1.2.3', '0.255.255.255'],
  private: ['10.0.0.0', '10.0.0.1', '10.255.255.255', '172.16.0.0', '172.16.10.65', '172.31.255.255'],
  'private too': ['192.168.0.0', '192.168.10.65', '192.168.255.255'],
  loopback: ['127.0.0.0', '127.0.0.1', '127.254.254.254', '127.255.255.255'],
  'link-local': ['169.254.0.0', '169.254.169.254', '169.254.100.1', '169.254.255.255'],
  'shared by carriers': ['100.64.0.0', '100.64.0.1', '100.127.255.255'],
  'for protocols': ['192.0.0.0', '192.0.0.1', '192.0.0.255', '192.88.99.0', '192.88.99.3', '192.88.99.255'],
  'for documents': ['192.0.2.0', '192.0.2.255', '198.51.100.65', '203.0.113.6'],
  'for benchmarks': ['198.18.0.0', '198.18.0.1', '198.19.255.255'],
  'for AS112 and AMT': ['192.31.196.1', '192.52.193.1', '192.175.48.1'],
  'multicast and beyond': ['224.0.0.0', '224.1.2.3', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  'IPv6 unspecified and loopback': ['::', '::1', '0:0:0:0:0:0:0:1'],
  'IPv4-mapped': ['::ffff:10.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::ffff:0:127.0.0.1'],
  'IPv4-compatible': ['::127.0.0.1', '::7f00:1', '::8.8.8.8', '::2'],
  NAT64: ['64:ff9b::a9fe:a9fe', '64:ff9b::808:808', '64:ff9b:1::1', '64:ff9b:1:ffff::1', '64:ff9b:2::1'],
  '6to4': ['2002:7f00:1::1', '2002:808:808::1'],
  'Teredo and the protocols beside it': [
    '2001::1',
    '2001:0:808:808::1',
    '2001:1::1',
    '2001:2::1',
    '2001:3::1',
  ],
  'ORCHID and remote ids': ['2001:10::1', '2001:20::1', '2001:2f:ffff::1', '2001:30::1', '2001:1ff:ffff::1'],
  'AS112 of IPv6': ['2001:4:112::1', '2620:4f:8000::1'],
  'IPv6 for documents': ['2001:db8::1', '2001:db8:ffff:ffff::1', '3fff::1', '3fff:fff:ffff::1'],
  'IPv6 discard and dummy': ['100::1', '100::ffff:ffff:ffff:ffff', '100:0:0:1::1'],
  'segment routing': ['5f00::1', '5f00:ffff::1'],
  'unique local': ['fc00::1', 'fd00:ec2::254', 'fdff:ffff::1'],
  'IPv6 link-local and site-local': ['fe80::1', 'fe80::1%eth0', 'febf:ffff::1', 'fec0::1', 'feff::1'],
  'IPv6 multicast': ['ff02::1', 'ff0e::1'],
  'given to nobody': ['1::1', '1fff::1', '4000::1', '8000::1', 'fe00::1'],
};

describe.each(Object.entries(notPublic))('what is %s', (_, addresses) => {
  test.each(addresses)('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

test.each([
  '8.8.8.8',
  '1.0.0.0',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.254',
  '100.128.0.1',
  '126.255.255.255',
  '128.0.0.1',
  '172.15.255.255',
  '172.32.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2001:200::1',
  '2a00:1450:4001::1',
  '3ffe::1',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  '',
  'localhost',
  '8.8.8',
  '134744072',
  '0x8.8.8.8',
  '010.8.8.8',
  '8.8.8.8.',
  '[2606:4700::1]',
  '8.8.8.8/32',
])('%j is no address in its usual spelling, so not public', (text) => {
  expect(isPublicAddress(text)).toBe(false);
});

describe('a receiver by its address', () => {
  test('is that address, without a question to the DNS', async () => {
    const resolver = dns('9.9.9.9');
    expect(await resolve('https://8.8.8.8/in', resolver)).toEqual({ addresses: at('8.8.8.8') });
    expect(await resolve('https://[2606:4700:4700::1111]:8443', resolver)).toEqual({ refused: 'ipv6_only' });
    expect(resolver).not.toHaveBeenCalled();
  });

  test.each([
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '0177.0.0.1',
    '①②⑦.⓪.⓪.①',
    '１２７．０．０．１',
    '%31%32%37.0.0.1',
    '127.0.0.1.',
    '0',
    '169.254.169.254',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:8.8.8.8]',
    '[64:ff9b::7f00:1]',
    '[fd00:ec2::254]',
  ])('is refused as %s, without a question to the DNS', async (host) => {
    const resolver = dns('8.8.8.8');
    expect(await resolve(`https://${host}/`, resolver)).toEqual(blocked);
    expect(resolver).not.toHaveBeenCalled();
  });
});

describe('a receiver by its name', () => {
  test('is all its addresses that a Lambda can reach, found with one question', async () => {
    const resolver = dns('8.8.8.8', '2606:4700:4700::1111', '9.9.9.9');
    expect(await resolve('https://hooks.example.com', resolver)).toEqual({
      addresses: at('8.8.8.8', '9.9.9.9'),
    });
    expect(resolver.mock.calls).toEqual([['hooks.example.com']]);
  });

  test('is refused, with that reason, when it has addresses of IPv6 only', async () => {
    const resolver = dns('2606:4700:4700::1111', '2a00:1450:4001::1');
    expect(await resolve('https://hooks.example.com', resolver)).toEqual({ refused: 'ipv6_only' });
    expect(await addressProblem('https://hooks.example.com', resolver)).toBe(
      'must resolve to an IPv4 address, because webhooks are sent over IPv4; its host has only IPv6 addresses',
    );
  });

  test.each([
    ['one that is private', ['10.0.0.1']],
    ['a private one among public ones', ['8.8.8.8', '10.0.0.1', '9.9.9.9']],
    ['a private one of the other family', ['8.8.8.8', 'fd00::1']],
    ['the metadata of the machine', ['169.254.169.254']],
    ['loopback', ['127.0.0.1']],
    ['no address at all, but a text', ['ip-10-0-0-1.compute.internal']],
  ])('is refused for %s', async (_, addresses) => {
    expect(await resolve('https://hooks.example.com', dns(...addresses))).toEqual(blocked);
  });

  test('is checked again each time: a name that was public may not be public any more', async () => {
    const resolver = vi.fn().mockResolvedValueOnce(at('8.8.8.8')).mockResolvedValue(at('127.0.0.1'));
    expect(await resolve('https://hooks.example.com', resolver)).toEqual({ addresses: at('8.8.8.8') });
    expect(await resolve('https://hooks.example.com', resolver)).toEqual(blocked);
  });

  test('that is not known has no address', async () => {
    const unknown = vi.fn().mockRejectedValue(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    expect(await resolve('https://hooks.example.com', unknown)).toEqual({ refused: 'unresolved' });
    expect(await resolve('https://hooks.example.com', dns())).toEqual({ refused: 'unresolved' });
  });

  test('without an answer of the DNS ends with the signal', async () => {
    const silent = () => new Promise<never>(() => {});
    const resolving = resolveReceiver(new URL('https://hooks.example.com'), AbortSignal.timeout(50), silent);
    expect(await resolving).toEqual({ refused: 'unresolved' });
    const late = resolveReceiver(new URL('https://hooks.example.com'), AbortSignal.abort(), silent);
    expect(await late).toEqual({ refused: 'unresolved' });
  });

  test('is never reached without TLS', async () => {
    expect(await resolve('http://hooks.example.com')).toEqual(blocked);
    expect(await resolve('http://8.8.8.8')).toEqual(blocked);
    allowLoopback();
    expect(await resolve('http://8.8.8.8')).toEqual(blocked);
  });
});

describe('loopback', () => {
  test.each([undefined, '', '0', 'true', ' 1', '1 '])('is not allowed by the setting %j', async (setting) => {
    vi.stubEnv('ALLOW_LOOPBACK_RECEIVERS', setting);
    expect(loopbackAllowed()).toBe(false);
    for (const url of ['http://127.0.0.1:9001', 'https://127.0.0.1', 'http://localhost', 'https://localhost'])
      expect(await resolve(url, dns('127.0.0.1')), url).toEqual(blocked);
  });

  test('where it is allowed, is 127.0.0.1 and localhost', async () => {
    allowLoopback();
    expect(loopbackAllowed()).toBe(true);
    expect(await resolve('http://127.0.0.1:9001/in')).toEqual({ addresses: at('127.0.0.1') });
    expect(await resolve('https://localhost:1', dns('::1', '127.0.0.1'))).toEqual({
      addresses: at('::1', '127.0.0.1'),
    });
  });

  test.each(['ftp', 'ws', 'wss', 'foo'])('is not reached by %s://', async (scheme) => {
    allowLoopback();
    expect(await resolve(`${scheme}://127.0.0.1:9001/`)).toEqual(blocked);
  });

  test.each([
    ['http://127.0.0.2', '127.0.0.2'],
    ['https://[::1]', '::1'],
    ['https://hooks.example.com', '127.0.0.1'],
    ['https://a.localhost', '127.0.0.1'],
    ['http://localhost', '10.0.0.1'],
    ['http://localhost', 'what no DNS answers'],
    ['http://localhost', '8.8.8.8'],
    ['https://0.0.0.0', '0.0.0.0'],
    ['https://169.254.169.254', '169.254.169.254'],
  ])('where it is allowed, is still not %s at %s', async (url, address) => {
    allowLoopback();
    expect(await resolve(url, dns(address))).toEqual(blocked);
  });
});

describe('the problem with an address', () => {
  test('names what is allowed, and nothing that our DNS knows', async () => {
    const problem =
      'must resolve to public addresses only, but its host has a private, local or reserved one';
    expect(await addressProblem('https://127.1/')).toBe(problem);
    expect(await addressProblem('https://a.example.com', dns('8.8.8.8', '10.1.2.3'))).toBe(problem);
  });

  test('with a text that is no URL is an error of the caller', async () => {
    await expect(addressProblem('example.com')).rejects.toThrow(TypeError);
  });

  test('comes from the real DNS by default', async () => {
    allowLoopback();
    expect(await addressProblem('http://localhost:9001')).toBeUndefined();
  });
});
