import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  laneOf,
  newSeed,
  positionKey,
  positionMax,
  positionOf,
  recordId,
} from '../../../lib/records/position.ts';

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

  test('does not show its position at a glance', () => {
    const ids = Array.from({ length: 200 }, (_, position) => recordId('con', position, newSeed()));
    expect(new Set(ids.map((id) => id.slice(4, 8))).size).toBeGreaterThan(190);
  });

  test.each([
    '',
    'con_',
    'con',
    'ord_000000000000000000000000',
    'con_00000000000000000000000',
    'con_0000000000000000000000000',
    'con_00000000000000000000000u',
    'con_00000000000000000000000U',
    'CON_000000000000000000000000',
    ' con_00000000000000000000000',
  ])('%j is none', (id) => {
    expect(positionOf('con', id)).toBeUndefined();
  });

  test('any text is an id or is not, and never an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const position = positionOf('con', `con_${text}`);
        expect(position === undefined || (position >= 0 && position <= positionMax)).toBe(true);
      }),
    );
  });
});

test('positions sort as text as they do as numbers', () => {
  fc.assert(
    fc.property(positions, positions, (a, b) => {
      expect(positionKey(a) < positionKey(b)).toBe(a < b);
    }),
  );
});

test('a page of 100 touches at most two partitions, and 1,600 records touch sixteen', () => {
  fc.assert(
    fc.property(positions, (start) => {
      const lanes = new Set(Array.from({ length: 100 }, (_, i) => laneOf(start + i)));
      expect(lanes.size).toBeLessThanOrEqual(2);
    }),
  );
  expect(new Set(Array.from({ length: 1600 }, (_, i) => laneOf(i))).size).toBe(16);
});
