// To add a resource, or fields to an existing one, declare them in a file of the folder `resources` (docs/package.md). The command `postern`
// then generates the lists, filters, operations, Lambdas, permissions, scopes and the reference.
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

/** An additional event type of the resource: a field gets one of these values, or a number grows. */
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
  /** The name of one record, for example `support-ticket`. The name of the file is the path of the resource. */
  readonly one: string;
  /** The prefix of its ids: 2 to 5 letters of a-z. */
  readonly prefix: string;
  readonly fields: F;
  /** The fields that clients may write. If undefined, clients can only read. */
  readonly writable?: readonly W[];
  /** A record that a client creates must have at least one of these fields. */
  readonly identifiedBy?: readonly W[];
  /** Whether clients may also delete records. */
  readonly deletable?: boolean;
  /** Event types in addition to created, updated and deleted: `closed` is the type `ticket.closed`. */
  readonly events?: { readonly [name: string]: DeclaredEvent<keyof F & string> };
}

/** Fields to add to a resource of this project. */
export interface AddedFields<F extends DeclaredFields = DeclaredFields> {
  readonly fields: F;
  /** The added fields that clients may write, if clients write the resource. */
  readonly writable?: readonly (keyof F & string)[];
}

/** Declares a resource. It keeps the exact type, so that a name that is not a field does not compile. */
export const defineResource = <const F extends DeclaredFields, const W extends keyof F & string>(
  declared: DeclaredResource<F, W>,
): DeclaredResource<F, W> => declared;

/** Declares fields for the resource whose path is the name of the file. */
export const addFields = <const F extends DeclaredFields>(added: AddedFields<F>): AddedFields<F> => added;

/**
 * Makes a request for each of a resource's own operations. The test suites run it with every kind of key, and with faults.
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
