import type { Resource, ResourceType } from './index.ts';

/** The fields that records of every type have. */
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

/** One type of record. An account has one collection of each. */
export interface Collection<R extends Stored, Type extends ResourceType = ResourceType> {
  /** The type's name in keys and events. With spaces it is the resource's name in messages. */
  type: Type;
  prefix: Resource<Type>['prefix'];
  /** All fields, in the order of answers. */
  layout: Record<keyof R, Layout>;
  /** A field with this value is not stored. */
  blank: Partial<Content<R>>;
  /** The most bytes of a record in an answer, if they are more than the usual ones. */
  bytesMax?: number;
  filters: IndexedFields<R>;
}

/**
 * The order of the fields of a value, because DynamoDB keeps the fields of a map in no order. `null` stands for a plain value,
 * an object for an object with these fields, a list of one layout for a list of such values, and `by name` for an object
 * whose fields the account names.
 */
export type Layout = null | 'by name' | readonly [Layout] | { readonly [field: string]: Layout };

/**
 * What a field becomes that makes a change more than an update: one of these words, or more than it was; of several the first counts.
 * Fields and words are those of the schema: another one does not compile.
 */
export type Transitions<R, Type extends ResourceType> = readonly {
  [Field in keyof R]: readonly [
    Resource<Type>['eventTypes'][number],
    field: Field,
    becomes: readonly R[Field][] | 'more',
  ];
}[keyof R][];

/** A filter by values: the positions of the records with each value are a set. */
export interface ValueField<R> {
  /** The parameter of the query. It is also a part of keys. */
  name: string;
  /** The source of its sets: another source needs other sets. */
  source?: string;
  /** The values by which a record is found. */
  valuesOf(record: R): readonly (string | null)[];
  /** The form in which values are compared; without it, as they are. */
  fold?: (value: string) => string;
  /** The values are words of the contract. All others come from clients, so keys hold only hashes of them. */
  isEnumeration?: true;
  /** Usually few records have the same value. Such a set is read before all others. */
  isSelective?: true;
}

/** A filter by a time that your app sends, and that can change. */
export interface TimeField<R> {
  /** The parameters of the query are this name with `_since` and `_before`. It is also a part of keys. */
  name: string;
  source?: string;
  /** null for a record without the time: no range has it. */
  timeOf(record: R): string | null;
}

/** The filters of a collection. A list answers to a new one when `npm run ops -- index build` has made its sets of the stored records. */
export interface IndexedFields<R> {
  values: readonly ValueField<R>[];
  times: readonly TimeField<R>[];
}
