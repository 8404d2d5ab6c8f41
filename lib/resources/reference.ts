import type { Resource, ResourceType } from './index.ts';
import type { Notes } from './notes.ts';
import type { Operation, Params, Query } from './operation.ts';

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

/** What happened. */
export interface EventNote<R> {
  what: string;
  /** The change in the example. A creation has none. */
  change?: { before: Partial<R>; after: Partial<R> };
}

export type QueryNotes<O extends Operation> = {
  readonly [Each in O as Each extends { query: unknown } ? Each['id'] : never]: Notes<Query<Each>>;
};

/** The prose of a resource: what is missing or too much does not compile. */
export interface Reference<O extends Operation, Type extends ResourceType, R> {
  /** Its areas in the reference, each with a description. */
  tags: Record<string, string>;
  operations: { [Each in O as Each['id']]: OperationNote };
  queries: QueryNotes<O>;
  mistakenQueries: { [Each in keyof QueryNotes<O>]: Record<string, string> };
  pathParameters: { [Name in keyof Params<O>]: PathParameterNote };
  eventTypes: { [Name in Resource<Type>['eventTypes'][number]]: EventNote<R> };
}
