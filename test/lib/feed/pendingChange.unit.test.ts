import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { inVersionOrder, type PendingChange } from '../../../lib/feed/entry.ts';

const change = (resource_id: string, version: number) =>
  ({ entry: { resource_id, version } }) as PendingChange;

const named = (changes: readonly PendingChange[]) =>
  changes.map(({ entry }) => `${entry.resource_id}${entry.version}`);

test('the versions of a record take the places of its changes, and no other record moves', () => {
  const changes = [change('a', 3), change('b', 1), change('a', 1), change('b', 2), change('a', 2)];
  expect(named(inVersionOrder(changes))).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
});

test('every change stays, and those of each record are in the order of versions', () => {
  const changes = fc.array(
    fc
      .tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 5 }))
      .map(([id, version]) => change(id, version)),
  );
  fc.assert(
    fc.property(changes, (given) => {
      const ordered = inVersionOrder(given);
      expect(named(ordered).sort()).toEqual(named(given).sort());
      for (const id of ['a', 'b', 'c']) {
        const versions = ordered
          .filter(({ entry }) => entry.resource_id === id)
          .map(({ entry }) => entry.version);
        expect(versions).toEqual([...versions].sort());
      }
    }),
  );
});
