// What the reference says beyond the schemas stands in this folder: no Lambda has to carry prose.

type Plain = string | number | boolean | null;

/** What a field means, and a value that it may have; a field that is made of others gets its example from theirs. */
type Note<Value> =
  NonNullable<Value> extends Plain | readonly Plain[]
    ? readonly [description: string, example: Exclude<Value, undefined>]
    : readonly [description: string];

/** A note for every field: a new one that is not described fails the type check. */
export type Notes<Fields> = { readonly [Name in keyof Fields]-?: Note<Fields[Name]> };

/** The notes of any fields, once it is known that none is missing. */
export type AnyNotes = Readonly<Record<string, readonly [description: string, example?: unknown]>>;
