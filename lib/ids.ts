import { randomBytes } from 'node:crypto';

/** Crockford's base32 in lower case: no i, l, o or u, so that people can read ids aloud. https://www.crockford.com/base32.html */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** Encodes bytes as base32, five bits per character. The last character is padded with zero bits. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet[(held >>> bits) & 31];
    }
    held &= (1 << bits) - 1;
  }
  return bits > 0 ? text + alphabet[(held << (5 - bits)) & 31] : text;
}

/** Decodes a base32 text whose length is a whole number of bytes; undefined if it contains another character. */
export function fromBase32(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(Math.floor((text.length * 5) / 8));
  let bits = 0;
  let held = 0;
  let length = 0;
  for (const character of text) {
    const value = alphabet.indexOf(character);
    if (value < 0) return undefined;
    held = (held << 5) | value;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes[length++] = held >>> bits;
      held &= (1 << bits) - 1;
    }
  }
  return bytes;
}

/** Creates a random id: prefix, underscore and 24 characters with 120 random bits. */
export const randomId = (prefix: string): string => `${prefix}_${base32(randomBytes(15))}`;
