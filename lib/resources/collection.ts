import type { Resource, ResourceType } from './index.ts';

/** The fields of every record, whatever its type. */
export interface Stored {
  id: string;
  external_id: string | null;
  version: number;
  created_at: string;
  updated_at: string;
}

/** The fields that only the server writes. */
export type Served = Pick<Stored, 'id' | 'version' | 'created_at' | 'updated_at'>;

export const ofServer: readonly string[] = [
  'id',
  'version',
  'created_at',
  'updated_at',
] satisfies (keyof Served)[];

/** The fields of a record that clients and other systems set. */
export type Content<R extends Stored> = Omit<R, keyof Served>;

/** One type of record. An account has one collection of each type. */
export interface Collection<R extends Stored, Type extends ResourceType = ResourceType> {
  /** The type's name in keys and events. With spaces, it is the resource's name in messages. */
  type: Type;
  prefix: Resource<Type>['prefix'];
  /** All fields, in the order of responses. */
  layout: Record<keyof R, Layout>;
  /** A field with this value is not stored. */
  blank: Partial<Content<R>>;
  /** The most bytes of a record in a response, if this exceeds the usual limit. */
  bytesMax?: number;
  filters: IndexedFields<R>;
}

/**
 * The order of a value's fields, because DynamoDB does not keep the order of a map. `null` stands for a plain value, and an object for an
 * object with these fields. A list of one layout stands for a list of such values, and `by name` for an object with account-defined fields.
 */
export type Layout = null | 'by name' | readonly [Layout] | { readonly [field: string]: Layout };

/**
 * The changes that are more than an update, because a field gets one of these values, or grows (`more`). If several apply, the first counts.
 * Fields and values come from the schema, so any other does not compile.
 */
export type Transitions<R, Type extends ResourceType> = readonly {
  [Field in keyof R]: readonly [
    Resource<Type>['eventTypes'][number],
    field: Field,
    becomes: readonly R[Field][] | 'more',
  ];
}[keyof R][];

/** A filter by values. For each value, the positions of the records with this value are a set. */
export interface ValueField<R> {
  /** The query parameter. It is also a part of keys. */
  name: string;
  /** The source of its sets. Another source needs other sets. */
  source?: string;
  /** Returns the values by which a record is found. */
  valuesOf(record: R): readonly (string | null)[];
  /** Returns the form in which values are compared. If undefined, values are compared unchanged. */
  fold?: (value: string) => string;
  /** The values are an enum of the contract. All other values come from clients, so keys contain only their hashes. */
  isEnumeration?: true;
  /** Few records usually share a value. Such a set is read before all others. */
  isSelective?: true;
}

/** A filter by a time that your app sends and that can change. */
export interface TimeField<R> {
  /** The query parameters are this name with `_since` and `_before`. It is also a part of keys. */
  name: string;
  source?: string;
  /** Returns null for a record without the time, which is in no range. */
  timeOf(record: R): string | null;
}

/** The filters of a collection. A list supports a new filter after `npm run ops -- index build` has built its sets from the stored records. */
export interface IndexedFields<R> {
  values: readonly ValueField<R>[];
  times: readonly TimeField<R>[];
}
