import type * as z from 'zod';
import { contactDraft } from '../../lib/contract/contacts.ts';
import { eventRegistrationDraft } from '../../lib/contract/eventRegistrationDraft.ts';
import { orderDraft } from '../../lib/contract/orderDraft.ts';
import type { Collection, Stored } from '../../lib/records/collection.ts';
import { contacts } from '../../lib/records/contacts.ts';
import { eventRegistrations } from '../../lib/records/eventRegistrations.ts';
import { orders } from '../../lib/records/orders.ts';
import type { Entry } from '../../lib/records/upsert.ts';

/** A resource that can be imported: what a line must be, and the collection that it goes into. */
export interface Importable {
  schema: () => z.ZodType;
  // The lines of a file are checked by the schema, so from here on one resource is like the other.
  collection: Collection<Stored>;
}

const importable = <R extends Stored>(schema: () => z.ZodType, collection: Collection<R>): Importable => ({
  schema,
  collection: collection as unknown as Collection<Stored>,
});

/** By the name that it has in paths. */
export const resources = {
  contacts: importable(contactDraft, contacts),
  orders: importable(orderDraft, orders),
  'event-registrations': importable(eventRegistrationDraft, eventRegistrations),
};

export const isResource = (name: string): name is keyof typeof resources => Object.hasOwn(resources, name);

/** What the schema made of a line, as the store takes it: `updated_at` says when it was stated and is no part of it. */
export function toEntry(parsed: unknown): Entry<Stored> {
  const { updated_at = null, ...content } = parsed as Entry<Stored>['content'] & {
    updated_at?: string | null;
  };
  return { content, statedAt: updated_at };
}
