// An adopter declares a resource, or fields for one of ours, in a file of the folder `resources` (docs/package.md). The command `postern`
// generates the lists, filters, operations, Lambdas, permissions, scopes and the reference from it.
import type { Field, Fields } from './field.ts';

export { operation } from './operation.ts';

/** A field with its text for the reference: a sentence, and an example unless the field is an object. */
export type DeclaredField = Field extends infer One
  ? One extends { readonly of: Fields }
    ? Omit<One, 'of'> & { readonly of: DeclaredFields; readonly note: Note }
    : One & { readonly note: Note }
  : never;

type Note = readonly [sentence: string, example?: unknown];

export interface DeclaredFields {
  readonly [name: string]: DeclaredField;
}

/** An event type that the resource adds: a field becomes one of these values, or a number grows. */
export interface DeclaredEvent<Name extends string = string> {
  readonly field: Name;
  readonly becomes: readonly unknown[] | 'more';
  /** The first half of a sentence: `The status of a ticket became closed`. */
  readonly what: string;
  /** The fields of the example that change. */
  readonly before: { readonly [Field in Name]?: unknown };
  readonly after: { readonly [Field in Name]?: unknown };
}

export interface DeclaredResource<
  F extends DeclaredFields = DeclaredFields,
  W extends keyof F & string = keyof F & string,
> {
  /** The name of one record, as in `support-ticket`. The name of the file is the path of the resource. */
  readonly one: string;
  /** What its ids begin with: 2 to 5 letters of a-z. */
  readonly prefix: string;
  readonly fields: F;
  /** The fields that clients may write. Without it, clients only read. */
  readonly writable?: readonly W[];
  /** A record that a client creates has one of these fields. */
  readonly identifiedBy?: readonly W[];
  /** Whether clients may also delete records. */
  readonly deletable?: boolean;
  /** Event types in addition to created, updated and deleted: `closed` is the type `ticket.closed`. */
  readonly events?: { readonly [name: string]: DeclaredEvent<keyof F & string> };
}

/** Fields that are added to a resource of this project. */
export interface AddedFields<F extends DeclaredFields = DeclaredFields> {
  readonly fields: F;
  /** Those of them that clients may write, where clients write the resource. */
  readonly writable?: readonly (keyof F & string)[];
}

/** Declares a resource, and keeps its exact type, so that a name which is not that of a field does not compile. */
export const defineResource = <const F extends DeclaredFields, const W extends keyof F & string>(
  declared: DeclaredResource<F, W>,
): DeclaredResource<F, W> => declared;

/** Declares fields that are added to the resource whose path is the name of the file. */
export const addFields = <const F extends DeclaredFields>(added: AddedFields<F>): AddedFields<F> => added;

/**
 * A request for each operation of a resource's own, with which the suites try it: with every kind of key, and with faults.
 * @param given makes a record of a type in the account of the request, and returns its id
 */
export type OwnRequests = Readonly<
  Record<
    string,
    (
      given: (type: string) => Promise<string>,
    ) => Promise<{ params?: Record<string, string>; query?: object; body?: object }>
  >
>;
