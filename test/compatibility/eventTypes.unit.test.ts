import { expect, test } from 'vitest';
import { eventTypesOfChanges } from './eventTypes.ts';
import { readReleased } from './releaseExamples.ts';

/** The changes that are no longer reported to subscribers of a single type. */
const takenAway = (released: Record<string, string>, today: Record<string, string>): string[] =>
  Object.entries(released)
    .filter(([change, type]) => today[change] !== type)
    .map(([change, type]) => `${type} no longer reports "${change}", ${today[change] ?? 'nothing'} does`);

const whatToDo =
  'Subscribers to the older type alone would miss these changes. Within v1 a change that has been reported keeps its event type; ' +
  'a new type is for changes that are new: of a new word, or of a new resource.';

test('every change keeps its event type, so that subscribers to one type miss nothing', () => {
  expect(takenAway(readReleased().eventTypes, eventTypesOfChanges()), whatToDo).toEqual([]);
});

test('a new type that takes changes from an older type is found', () => {
  const change = 'order: fulfillment_status unfulfilled → fulfilled';
  const released = { ...eventTypesOfChanges(), [change]: 'order.updated' };
  expect(takenAway(released, { ...released, [change]: 'order.fulfilled' })).toEqual([
    `order.updated no longer reports "${change}", order.fulfilled does`,
  ]);
});

test('changes to a new word of an enum are no breaking change', () => {
  const today = eventTypesOfChanges();
  expect(takenAway(today, { ...today, 'order: status pending → archived': 'order.archived' })).toEqual([]);
});
