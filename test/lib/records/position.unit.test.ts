import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { env } from '../../../lib/env.ts';
import { fromBase32 } from '../../../lib/ids.ts';
import { newSeed, positionMax, positionOf, recordId } from '../../../lib/records/position.ts';

const positions = fc.integer({ min: 0, max: positionMax });

describe('an id', () => {
  test('carries its position, whatever the random part', () => {
    fc.assert(
      fc.property(positions, fc.uint8Array({ minLength: 10, maxLength: 10 }), (position, seed) => {
        const id = recordId('con', position, seed);
        expect(id).toMatch(/^con_[0-9a-hjkmnp-tv-z]{24}$/);
        expect(positionOf('con', id)).toBe(position);
      }),
    );
  });
});

describe('without the key of the deployment', () => {
  afterEach(() => vi.unstubAllEnvs());

  const ids = Array.from({ length: 1000 }, (_, position) => recordId('con', position, newSeed()));

  /** How many positions somebody reads from the ids by a guess of how they are masked. */
  const readBy = (maskOf: (seed: Uint8Array) => Uint8Array): number =>
    ids.filter((id, position) => {
      const bytes = fromBase32(id.slice(4)) as Uint8Array;
      const mask = maskOf(bytes.subarray(5));
      const unmasked = bytes.subarray(0, 5).map((byte, i) => byte ^ (mask[i] as number));
      return Buffer.from(unmasked).readUIntBE(0, 5) === position;
    }).length;

  test.each<[string, (seed: Uint8Array) => Uint8Array]>([
    ['nothing', () => new Uint8Array(5)],
    ['the hash of the random part', (seed) => createHash('sha256').update(seed).digest()],
    ['a key of nothing', (seed) => createHmac('sha256', '').update('position#con#').update(seed).digest()],
    [
      'the key of somebody else',
      (seed) => createHmac('sha256', 'x'.repeat(64)).update('position#con#').update(seed).digest(),
    ],
  ])('%s reads none of 1,000 positions', (_, maskOf) => {
    expect(readBy(maskOf)).toBe(0);
  });

  test('ids of neighbours have as much in common as any two: each of the 40 bits differs in half of the pairs', () => {
    const masked = ids.map((id) => (fromBase32(id.slice(4)) as Uint8Array).subarray(0, 5));
    for (let bit = 0; bit < 40; bit++) {
      const bitOf = (bytes: Uint8Array | undefined) => ((bytes?.[bit >> 3] as number) >> (bit & 7)) & 1;
      const differing = masked.slice(1).filter((bytes, i) => bitOf(bytes) !== bitOf(masked[i])).length;
      // 500 are expected, with a standard deviation of 16: one run in 10^15 is eight of them away.
      expect(Math.abs(differing - 500), `bit ${bit}`).toBeLessThan(128);
    }
  });

  test.each([
    '',
    '{{resolve:secretsmanager:arn:SecretString:::}}',
    'short',
    `${'a'.repeat(32)}\n`,
    `=${'a'.repeat(32)}`,
  ])('no id can be made or read when the key is %j', (key) => {
    vi.stubEnv(env.idKey, key);
    expect(() => recordId('con', 1, newSeed())).toThrow(/^The environment variable ID_KEY /);
    expect(() => positionOf('con', ids[0] as string)).toThrow(/^The environment variable ID_KEY /);
  });
});
