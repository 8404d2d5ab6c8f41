// Types for the text of the reference. The text is separate from the schemas, so that no Lambda contains it.

type Plain = string | number | boolean | null;

/** The meaning of a field, and an example. The example of a field with parts consists of the examples of its parts. */
export type Note<Value> =
  NonNullable<Value> extends Plain | readonly Plain[]
    ? readonly [description: string, example: Exclude<Value, undefined>]
    : readonly [description: string];

/** A note for every field. A new field without a note fails the type check. */
export type Notes<Fields> = { readonly [Name in keyof Fields]-?: Note<Fields[Name]> };

/** The notes of any fields, after the type check has confirmed that none is missing. */
export type AnyNotes = Readonly<Record<string, readonly [description: string, example?: unknown]>>;
