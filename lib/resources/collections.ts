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
const collections: Record<ResourceType, object> = {
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

// For code that treats the records of all types alike.

export const collectionOf = (type: ResourceType): Collection<Stored> =>
  collections[type] as Collection<Stored>;

export const filtersOf = <R extends Stored>({ type }: Pick<Collection<R>, 'type'>): IndexedFields<R> =>
  filters[type] as IndexedFields<R>;

type AnyTransitions = Transitions<Record<string, unknown>, ResourceType>;

export const transitionsOf = (type: ResourceType): AnyTransitions => transitions[type] as AnyTransitions;
