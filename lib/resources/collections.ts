import { type Collection, ofServer, type Stored, type Transitions } from './collection.ts';
import { contacts, contactTransitions } from './contacts.ts';
import { eventRegistrations, eventRegistrationTransitions } from './eventRegistrations.ts';
import type { ResourceType } from './index.ts';
import { orders, orderTransitions } from './orders.ts';

// These are two lists rather than one, because a bundle contains all of a list that its Lambda uses.
const collections: Record<ResourceType, { layout: object }> = {
  contact: contacts,
  order: orders,
  event_registration: eventRegistrations,
};

const transitions: Record<ResourceType, readonly object[]> = {
  contact: contactTransitions,
  order: orderTransitions,
  event_registration: eventRegistrationTransitions,
};

/** Returns the fields that a change of a record can name. An id never changes. The server's other fields change with every change, or never. */
export const changeableFieldsOf = (type: ResourceType): string[] =>
  Object.keys(collections[type].layout).filter((name) => !ofServer.includes(name));

/** Returns the fields that a change can name, of all types, without duplicates. */
export const changeableFields = (): [string, ...string[]] => {
  const all = (Object.keys(collections) as ResourceType[]).flatMap(changeableFieldsOf);
  return [...new Set(all)] as [string, ...string[]];
};

export const typesWith = (field: string): string[] =>
  Object.entries(collections)
    .filter(([, { layout }]) => Object.hasOwn(layout, field))
    .map(([type]) => type);

// For code that treats the records of all types alike.

export const collectionOf = (type: ResourceType): Collection<Stored> =>
  collections[type] as unknown as Collection<Stored>;

type AnyTransitions = Transitions<Record<string, unknown>, ResourceType>;

export const transitionsOf = (type: ResourceType): AnyTransitions => transitions[type] as AnyTransitions;
