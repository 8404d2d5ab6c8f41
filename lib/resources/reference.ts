/** The prose of an operation in the reference, in addition to its summary. */
export interface OperationNote {
  tag: string;
  description: string;
  /** The content of the successful answer. */
  success: string;
}

/** A parameter of paths: the resource that it names, by which field, and an example. */
export interface PathParameterNote {
  thing: string;
  by: 'id' | 'external id';
  example: string;
}

export interface EventNote<R> {
  what: string;
  /** The change in the example. A creation has none. */
  change?: { before: Partial<R>; after: Partial<R> };
}
