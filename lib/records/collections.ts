import type { ResourceType } from '../contract/eventTypes.ts';
import type { Collection, Stored } from './collection.ts';
import { contacts } from './contacts.ts';
import { eventRegistrations } from './eventRegistrations.ts';
import { orders } from './orders.ts';

const collections: Record<ResourceType, object> = {
  contact: contacts,
  order: orders,
  event_registration: eventRegistrations,
};

/** The collection of a type, for code that treats the records of all types alike. */
export const collectionOf = (type: ResourceType): Collection<Stored> =>
  collections[type] as Collection<Stored>;

export const resourceTypes = Object.keys(collections) as ResourceType[];
