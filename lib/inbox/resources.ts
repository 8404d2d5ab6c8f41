import type { StatedResource } from '../contract/inbox.ts';
import type { Collection, Stored } from '../records/collection.ts';
import { contacts } from '../records/contacts.ts';
import { eventRegistrations } from '../records/eventRegistrations.ts';
import { orders } from '../records/orders.ts';
import type { Entry } from '../records/upsert.ts';

const collections = { contacts, orders, 'event-registrations': eventRegistrations };

/** The collection of a resource. What goes into it has been checked by the resource's schema, so from here on one is like the other. */
export const collectionOf = (resource: StatedResource): Collection<Stored> =>
  collections[resource] as unknown as Collection<Stored>;

/** What a schema made of a statement, as the store takes it: `updated_at` says when it was stated and is no part of it. */
export function toEntry(parsed: unknown): Entry<Stored> {
  const { updated_at = null, ...content } = parsed as Entry<Stored>['content'] & {
    updated_at?: string | null;
  };
  return { content, statedAt: updated_at };
}
