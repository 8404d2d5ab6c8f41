/** The text of an operation in the reference, in addition to its summary. */
export interface OperationNote {
  tag: string;
  description: string;
  /** The content of the successful response. */
  success: string;
}

/** A path parameter: the resource that it names, the field that it uses, and an example. */
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
