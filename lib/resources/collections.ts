import type { Collection, IndexedFields, Stored, Transitions } from './collection.ts';
import { contactFilters, contacts, contactTransitions } from './contacts/record.ts';
import {
  eventRegistrationFilters,
  eventRegistrations,
  eventRegistrationTransitions,
} from './eventRegistrations/record.ts';
import type { ResourceType } from './index.ts';
import { orderFilters, orders, orderTransitions } from './orders/record.ts';

// Three lists and not one: a bundle has all of a list that its Lambda uses.
const collections: Record<ResourceType, { layout: object }> = {
  contact: contacts,
  order: orders,
  event_registration: eventRegistrations,
};

const filters: Record<ResourceType, object> = {
  contact: contactFilters,
  order: orderFilters,
  event_registration: eventRegistrationFilters,
};

const transitions: Record<ResourceType, readonly object[]> = {
  contact: contactTransitions,
  order: orderTransitions,
  event_registration: eventRegistrationTransitions,
};

/** Fields that a change does not name: an id never changes, and the others do with every change or never. */
const ofServer: readonly string[] = ['id', 'version', 'created_at', 'updated_at'];

/** The fields that a change of a record can name. */
export const changeableFieldsOf = (type: ResourceType): string[] =>
  Object.keys(collections[type].layout).filter((name) => !ofServer.includes(name));

/** The fields that a change can name, of all types, each once. */
export const changeableFields = (): [string, ...string[]] => {
  const all = (Object.keys(collections) as ResourceType[]).flatMap(changeableFieldsOf);
  return [...new Set(all)] as [string, ...string[]];
};

/** The types whose records have a field. */
export const typesWith = (field: string): string[] =>
  Object.entries(collections)
    .filter(([, { layout }]) => Object.hasOwn(layout, field))
    .map(([type]) => type);

// For code that treats the records of all types alike.

export const collectionOf = (type: ResourceType): Collection<Stored> =>
  collections[type] as unknown as Collection<Stored>;

export const filtersOf = <R extends Stored>({ type }: Pick<Collection<R>, 'type'>): IndexedFields<R> =>
  filters[type] as IndexedFields<R>;

type AnyTransitions = Transitions<Record<string, unknown>, ResourceType>;

export const transitionsOf = (type: ResourceType): AnyTransitions => transitions[type] as AnyTransitions;
