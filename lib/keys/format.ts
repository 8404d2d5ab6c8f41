import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** `live` is for an account's real data, `test` for data that may be deleted. The access of a key does not depend on it. */
export const environments = ['live', 'test'] as const;
export type Environment = (typeof environments)[number];

const brand = 'pak_';
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^32 values are 190 bits. Nobody can guess such a key, so a plain SHA-256 is enough to hash it. */
const randomLength = 32;
const checksumLength = 6;
const form = `${brand}(?:${environments.join('|')})_[0-9A-Za-z]{${randomLength + checksumLength}}`;
const shape = new RegExp(`^${form}$`);
const anywhere = new RegExp(form, 'g');

/**
 * Creates a key: `pak_`, `live_` or `test_`, 32 random base62 characters and a checksum of 6. The prefix lets secret scanners recognise a
 * leaked key, and the checksum lets us refuse a mistyped one without a read.
 * https://github.blog/2021-04-05-behind-githubs-new-authentication-token-formats/
 */
export function newKey(environment: Environment): string {
  let key = `${brand}${environment}_`;
  for (let i = 0; i < randomLength; i++) key += digits[randomInt(digits.length)];
  return key + checksum(key);
}

/** Returns the CRC-32 of the preceding text, in base62. */
function checksum(text: string): string {
  let value = crc32(text);
  let base62 = '';
  for (let i = 0; i < checksumLength; i++) {
    base62 = digits[value % digits.length] + base62;
    value = Math.floor(value / digits.length);
  }
  return base62;
}

/** The length of keys in the older format. Shorter keys could be guessed, and longer ones were never issued. */
export const olderLength = { min: 20, max: 512 };

/**
 * Returns whether a text can be a key, without a read. A text with our prefix must have our format and a correct checksum. Any other text may
 * be a key in the older format.
 */
export function mayBeKey(text: string): boolean {
  if (!text.startsWith(brand)) return text.length >= olderLength.min && text.length <= olderLength.max;
  return shape.test(text) && text.slice(-checksumLength) === checksum(text.slice(0, -checksumLength));
}

export const isTestKey = (key: string): boolean => key.startsWith(`${brand}test_`);

/** Returns the keys in a text: all in the current format, and each line that may be a key in the older one. */
export function keysIn(text: string): string[] {
  const found = [...(text.match(anywhere) ?? []), ...text.split('\n').map((line) => line.trim())];
  return [...new Set(found.filter(mayBeKey))];
}

/** Returns the SHA-256 of a key in hexadecimal, which is stored instead of the key. */
export const keyHashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

/** Returns the last four characters of a key. They let its owner tell keys apart, but are useless to anybody else. */
export const keyHintOf = (key: string): string => key.slice(-4);
