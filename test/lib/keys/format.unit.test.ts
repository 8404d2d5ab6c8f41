import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isTestKey, keyHashOf, keyHintOf, keysIn, mayBeKey, newKey } from '../../../lib/keys/format.ts';

describe('a new key', () => {
  test.each(['live', 'test'] as const)('for %s has the form that secret scanners know', (environment) => {
    expect(newKey(environment)).toMatch(new RegExp(`^pak_${environment}_[0-9A-Za-z]{38}$`));
  });

  test('is never the same, and is good', () => {
    const keys = Array.from({ length: 500 }, () => newKey('live'));
    expect(new Set(keys).size).toBe(500);
    expect(keys.every(mayBeKey)).toBe(true);
  });
});

describe('a key with our prefix', () => {
  test('is refused after any change of one character', () => {
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    fc.assert(
      fc.property(fc.integer({ min: 9, max: 46 }), fc.constantFrom(...digits), (at, digit) => {
        const key = newKey('live');
        fc.pre(key[at] !== digit);
        expect(mayBeKey(key.slice(0, at) + digit + key.slice(at + 1))).toBe(false);
      }),
    );
  });

  test.each([
    'pak_',
    'pak_live_',
    'pak_prod_0',
    `${newKey('live')}0`,
    newKey('live').slice(0, -1),
    `${newKey('live')} `,
  ])('is refused as %j', (key) => {
    expect(mayBeKey(key)).toBe(false);
  });
});

test('the keys in a text are found wherever they are, each once', () => {
  const [live, test] = [newKey('live'), newKey('test')];
  expect(keysIn(`a ${live} b ${test}.\n ${live}\r\n`)).toEqual([live, test, `a ${live} b ${test}.`]);
  expect(keysIn('no key')).toEqual([]);
});

describe('a key of another form', () => {
  test.each([
    [20, true],
    [512, true],
    [19, false],
    [513, false],
    [1, false],
    [0, false],
  ])('of %i characters may be one of an older format: %j', (length, may) => {
    expect(mayBeKey('k'.repeat(length))).toBe(may);
  });
});

describe('a text with a good checksum', () => {
  test.each([
    ['of another environment', `pak_prod_${'0'.repeat(32)}`],
    ['that is too short', `pak_live_${'0'.repeat(31)}`],
    ['that is too long', `pak_live_${'0'.repeat(33)}`],
    ['with another character', `pak_live_${'0'.repeat(31)}-`],
    ['with something before it', `pak_pak_live_${'0'.repeat(32)}`],
  ])('is refused when it is one %s', (_, text) => {
    expect(mayBeKey(text + crcBase62(text))).toBe(false);
  });
});

test('a key shows whether it is a test key', () => {
  expect(isTestKey(newKey('test'))).toBe(true);
  expect(isTestKey(newKey('live'))).toBe(false);
  expect(isTestKey(`old_pak_test_${'0'.repeat(20)}`)).toBe(false);
});

test('only the SHA-256 and four characters of a key are stored', () => {
  expect(keyHashOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(keyHintOf('pak_live_abcd')).toBe('abcd');
});

/** Written from the definition (ISO 3309), not from the code under test. */
function crcBase62(text: string): string {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  let value = (crc ^ 0xffffffff) >>> 0;
  let out = '';
  for (let i = 0; i < 6; i++) {
    out = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'[value % 62] + out;
    value = Math.floor(value / 62);
  }
  return out;
}
