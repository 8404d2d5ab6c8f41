import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventTypesOfChanges } from '../../infra/ops/documents/eventTypes.ts';
import { releasedEventTypes, releasedFolder } from '../../infra/ops/documents/released.ts';

/** The changes that subscribers to one type alone do not hear of any more. */
const takenAway = (released: Record<string, string>, today: Record<string, string>): string[] =>
  Object.entries(released)
    .filter(([change, type]) => today[change] !== type)
    .map(([change, type]) => `${type} no longer tells of "${change}", ${today[change] ?? 'nothing'} does`);

test('no type of event takes changes away from another, which subscribers to that one alone would miss', () => {
  const released = JSON.parse(readFileSync(join(releasedFolder, releasedEventTypes), 'utf8'));
  expect(takenAway(released, eventTypesOfChanges())).toEqual([]);
});

test('a more specific type for changes that had one is found', () => {
  const change = 'order: fulfillment_status unfulfilled → fulfilled';
  const today = eventTypesOfChanges();
  expect(today[change]).toBe('order.updated');
  expect(takenAway(today, { ...today, [change]: 'order.fulfilled' })).toEqual([
    `order.updated no longer tells of "${change}", order.fulfilled does`,
  ]);
});

test('changes of words that will be added are nobody’s loss', () => {
  const today = eventTypesOfChanges();
  expect(takenAway(today, { ...today, 'order: status pending → archived': 'order.archived' })).toEqual([]);
});
