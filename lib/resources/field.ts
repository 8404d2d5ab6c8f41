// A field is plain data, from which all schemas, layouts, index terms and parameters are made. It contains no calls, so that a bundle leaves
// out everything that its Lambda does not use.
import type { Address } from '../schemas/addresses.ts';
import type { CustomFields } from '../schemas/shared.ts';

/** A list finds records with exactly this value. */
interface Exact {
  readonly filter?: 'exact';
  /** The name of the filter, if it differs from the name of the field. */
  readonly as?: string;
  /** Many records have the same value, so its set is not read first. */
  readonly common?: true;
}

/** The value type of each kind without further settings, and the value that a field gets if it is left out. */
interface Kinds {
  /** Text of one line, or of several lines. */
  line: [string, null];
  lines: [string, null];
  email: [string, null];
  phone: [string, null];
  locale: [string, null];
  timezone: [string, null];
  currency: [string, null];
  url: [string, null];
  time: [string, null];
  /** The id of another record. */
  ref: [string, null];
  externalId: [string, null];
  /** An id or a human-readable number of something in another system. */
  id: [string, null];
  address: [Address, null];
  /** Money in the minor unit. `amount` is at least 0, and `signed` may be negative. */
  amount: [number, 0];
  signed: [number, 0];
  /** A number of units, which may be a fraction. */
  quantity: [number, 0];
  flag: [boolean, false];
  /** Fields that the account defines. */
  custom: [CustomFields, object];
  /** A set of short texts. */
  tags: [string[], []];
  /** Text, a number, true or false, or several texts. */
  answer: [string | number | boolean | string[], null];
}

export type PlainKind = keyof Kinds;

type Unfiltered = Exclude<PlainKind, 'line' | 'id' | 'ref' | 'email' | 'phone' | 'time' | 'tags'>;

/** A field of any kind, with the filter that its kind supports. */
export type Field = {
  /** A required field must be sent and is never null. Other fields may be left out. */
  readonly required?: true;
} & (
  | { readonly is: Unfiltered }
  | ({ readonly is: 'line' | 'id' | 'email' | 'phone' } & Exact)
  | ({ readonly is: 'ref'; readonly to: string } & Exact)
  /** A list finds records that have all of the given tags. */
  | { readonly is: 'tags'; readonly filter?: 'all' }
  /** A list finds records with any of the given values. */
  | { readonly is: 'enum'; readonly of: EnumValues; readonly default?: string; readonly filter?: 'any' }
  /** A list finds records with a time in a range: `placed_since`, `placed_before`. */
  | { readonly is: 'time'; readonly filter?: 'range' }
  /** An object. If all its fields may be left out, it is never null. */
  | { readonly is: 'group'; readonly of: Fields }
  /** `unique` names the field whose value differs in each entry. */
  | { readonly is: 'list'; readonly max: number; readonly unique?: string; readonly of: Fields }
);

type EnumValues = readonly [string, ...string[]];

export interface Fields {
  readonly [name: string]: Field;
}

// From here on, there are only types.

type IsRequired<F extends Field> = F extends { required: true } ? true : false;
type SomeRequired<G extends Fields> = true extends { [K in keyof G]: IsRequired<G[K]> }[keyof G]
  ? true
  : false;

type Present<F extends Field> = F extends { of: readonly (infer W)[] }
  ? W
  : F extends { is: 'list'; of: infer G extends Fields }
    ? ValuesOf<G>[]
    : F extends { of: infer G extends Fields }
      ? ValuesOf<G>
      : F['is'] extends PlainKind
        ? Kinds[F['is']][0]
        : never;

/** Returns whether a field without a value is null. */
export type IsNullable<F extends Field> =
  IsRequired<F> extends true
    ? false
    : F extends { default: unknown } | { is: 'list' }
      ? false
      : F extends { is: 'group'; of: infer G extends Fields }
        ? SomeRequired<G>
        : F['is'] extends PlainKind
          ? null extends Kinds[F['is']][1]
            ? true
            : false
          : true;

export type ValueOf<F extends Field> = Present<F> | (IsNullable<F> extends true ? null : never);
export type ValuesOf<G extends Fields> = { -readonly [K in keyof G]: ValueOf<G[K]> };
export type OptionalOf<G extends Fields> = {
  [K in keyof G]: IsRequired<G[K]> extends true ? never : K;
}[keyof G];

type Served = { version: number; created_at: string; updated_at: string };
export type RecordOf<G extends Fields> = { id: string } & ValuesOf<G> & Served extends infer R
  ? { [K in keyof R]: R[K] }
  : never;

/** The filter of `tags` is named `tag`. */
type Singular<K> = K extends `${infer S}s` ? S : K;
type Stem<K> = K extends `${infer S}_at` ? S : K;

type FiltersOf<G extends Fields, Prefix extends string = ''> = {
  [K in keyof G & string as G[K] extends { is: 'externalId' } | { filter: 'exact' }
    ? G[K] extends { as: infer Name extends string }
      ? Name
      : `${Prefix}${K}`
    : never]: string;
} & {
  [K in keyof G & string as G[K] extends { filter: 'any' } ? `${Prefix}${K}` : never]: string[];
} & {
  [K in keyof G & string as G[K] extends { filter: 'all' } ? `${Prefix}${Singular<K>}` : never]: string[];
} & {
  [K in keyof G & string as G[K] extends { filter: 'range' }
    ? `${Prefix}${Stem<K>}_${'since' | 'before'}`
    : never]: string;
};

type Joined<U> = (U extends unknown ? (u: U) => 0 : never) extends (i: infer I) => 0 ? I : never;
type OfGroups<G extends Fields> = {
  [K in keyof G & string]: G[K] extends { is: 'group'; of: infer Inner extends Fields }
    ? FiltersOf<Inner, `${K}_`>
    : never;
}[keyof G & string];

/** The filters of a list, by the names of its parameters. */
export type FilterValues<G extends Fields> = FiltersOf<G> & Joined<OfGroups<G>>;
