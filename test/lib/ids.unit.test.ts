import { expect, test } from 'vitest';
import { base32, fromBase32, randomId } from '../../lib/ids.ts';

test.each([
  ['', []],
  ['00', [0]],
  ['zw', [255]],
  ['zzzg', [255, 255]],
  ['0410', [1, 2]],
  ['04106', [1, 2, 3]],
  ['0410610', [1, 2, 3, 4]],
  ['04106105', [1, 2, 3, 4, 5]],
])('%j is base32 of %j', (text, bytes) => {
  expect(base32(Uint8Array.from(bytes))).toBe(text);
});

test.each(['i', 'l', 'o', 'u', 'A', ' ', '-', 'é'])('%j is no character of base32', (character) => {
  expect(fromBase32(`0000${character}000`)).toBeUndefined();
});

test('a random id has 24 characters, and is never the same', () => {
  const ids = Array.from({ length: 1000 }, () => randomId('evt'));
  for (const id of ids) expect(id).toMatch(/^evt_[0-9a-hjkmnp-tv-z]{24}$/);
  expect(new Set(ids).size).toBe(1000);
});
