import type { Contact } from '../contract/contacts.ts';
import type { EventRegistration } from '../contract/eventRegistrations.ts';
import type { Order } from '../contract/orders.ts';
import type { Collection, Stored } from '../records/collection.ts';

/** A filter by values: the positions of the records with each value are a set. */
export interface ValueField<R> {
  /** The parameter of the query. It is also a part of keys. */
  name: string;
  /** The values by which a record is found. */
  valuesOf(record: R): readonly (string | null)[];
  /** The form in which values are compared; without it, as they are. */
  fold?: (value: string) => string;
  /** The values are words of the contract. All others come from clients, so keys hold only hashes of them. */
  isEnumeration?: true;
  /** Usually few records have the same value. Such a set is read before all others. */
  isSelective?: true;
}

/** A filter by a time that a source states, and that can change. */
export interface TimeField<R> {
  /** The parameters of the query are this name with `_since` and `_before`. It is also a part of keys. */
  name: string;
  timeOf(record: R): string;
}

/**
 * The filters of a collection. A new filter, or another form of its values, needs sets that the stored records are in: first a
 * release that maintains them under a new name, then `npm run index -- build`, then the release whose lists read them.
 */
export interface IndexedFields<R> {
  values: readonly ValueField<R>[];
  times: readonly TimeField<R>[];
}

const contactFields: IndexedFields<Contact> = {
  values: [
    {
      name: 'email',
      valuesOf: ({ email }) => [email],
      fold: (email) => email.toLowerCase(),
      isSelective: true,
    },
    { name: 'phone', valuesOf: ({ phone }) => [phone], isSelective: true },
    { name: 'tag', valuesOf: ({ tags }) => tags },
  ],
  times: [],
};

const orderFields: IndexedFields<Order> = {
  values: [
    { name: 'number', valuesOf: ({ number }) => [number], isSelective: true },
    { name: 'contact_id', valuesOf: ({ contact_id }) => [contact_id], isSelective: true },
    { name: 'status', valuesOf: ({ status }) => [status], isEnumeration: true },
    { name: 'payment_status', valuesOf: ({ payment_status }) => [payment_status], isEnumeration: true },
    {
      name: 'fulfillment_status',
      valuesOf: ({ fulfillment_status }) => [fulfillment_status],
      isEnumeration: true,
    },
  ],
  times: [{ name: 'placed', timeOf: ({ placed_at }) => placed_at }],
};

const eventRegistrationFields: IndexedFields<EventRegistration> = {
  values: [
    { name: 'event_id', valuesOf: ({ event }) => [event.id] },
    { name: 'contact_id', valuesOf: ({ contact_id }) => [contact_id], isSelective: true },
    { name: 'order_id', valuesOf: ({ order_id }) => [order_id], isSelective: true },
    { name: 'reference', valuesOf: ({ reference }) => [reference], isSelective: true },
    { name: 'status', valuesOf: ({ status }) => [status], isEnumeration: true },
    { name: 'attendance', valuesOf: ({ attendance }) => [attendance], isEnumeration: true },
  ],
  times: [{ name: 'registered', timeOf: ({ registered_at }) => registered_at }],
};

const fields = {
  contact: contactFields,
  order: orderFields,
  event_registration: eventRegistrationFields,
};

export const fieldsOf = <R extends Stored>({ type }: Pick<Collection<R>, 'type'>): IndexedFields<R> =>
  fields[type] as unknown as IndexedFields<R>;

/** The values of a record in the form in which they are compared, without those that are missing. */
export const comparedValues = <R>(
  { valuesOf, fold = (value) => value }: ValueField<R>,
  record: R,
): string[] => valuesOf(record).flatMap((value) => (value === null ? [] : [fold(value)]));
