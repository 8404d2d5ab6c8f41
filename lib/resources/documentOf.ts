import type * as z from 'zod';
import { recordListOf } from '../values/filters.ts';
import { batchResultsOf } from './batchResult.ts';
import type { Collection, Stored } from './collection.ts';
import type { Components } from './component.ts';
import type { Resource, ResourceType } from './index.ts';
import type { AnyNotes, Notes } from './notes.ts';
import type { Operation } from './operation.ts';
import type { EventNote, OperationNote } from './reference.ts';
import type { Shaped } from './resource.ts';
import type { WriteId } from './writeOperations.ts';

/** The component of an object in the record. */
type Part = readonly [name: string, description: string, notes: AnyNotes];

/** The prose about a resource. One that lacks a field does not compile. */
interface ResourceProse<Type extends ResourceType, R extends Stored, Others extends string> {
  /** The component of its record, and what it is. */
  name: string;
  description: string;
  /** One record in words, after the article: `an event registration`. */
  one: string;
  /** The same in a sentence about several resources: `a registration`. */
  short: string;
  /** Several of them, and what clients may do with them. */
  many: string;
  about: string;
  notes: Notes<R>;
  /** The components of its objects, by the path of the field: `event.location`. */
  parts?: Readonly<Record<string, Part>>;
  components?: Components;
  /** A query with common mistakes. */
  mistaken: Record<string, string>;
  /** The types of its changes. Those of creations and deletions say the same of each resource. */
  events: {
    [Name in Exclude<Resource<Type>['eventTypes'][number], `${Type}.${'created' | 'deleted'}`>]: EventNote<R>;
  };
  /** The operations beside those that list and read records, and those by which clients write them. */
  operations: { [Id in Exclude<Others, WriteId<Type>>]: OperationNote };
  /** Bodies of requests that write: a new record, a patch, and one with common mistakes. */
  writes?: Record<'example' | 'patch' | 'mistaken', Readonly<Record<string, unknown>>>;
}

/** What changes a record answers with it, and a batch with its results. */
type Responses<Each extends Operation, Schema> = {
  [O in Each as O['method'] extends 'GET' | 'DELETE' ? never : O['id']]: O extends { batch: object }
    ? ReturnType<typeof batchResultsOf>
    : () => Schema;
};

type ListOperation = Operation & { query: () => z.ZodObject };

/**
 * The document of a resource with a list, an operation that reads a record, and perhaps others. infra/pages/reference/prose/resources.ts
 * makes the reference of it.
 */
export const documentOf = <
  Type extends ResourceType,
  R extends Stored,
  Schema extends z.ZodObject,
  List extends ListOperation,
  Read extends Operation,
  Operations extends readonly Operation[],
>(
  collection: Collection<R, Type> & Shaped,
  record: () => Schema,
  [list, read, operations]: readonly [List, Read, Operations],
  {
    operations: operationNotes,
    ...prose
  }: ResourceProse<Type, R, Exclude<Operations[number]['id'], List['id'] | Read['id']>>,
) => ({
  ...prose,
  notes: prose.notes as AnyNotes,
  operationNotes,
  collection,
  record,
  list,
  read,
  operations,
  responses: {
    [list.id]: recordListOf(record),
    [read.id]: record,
    ...Object.fromEntries(
      operations
        .filter(({ method }) => method !== 'GET' && method !== 'DELETE')
        .map(({ id, batch }) => [id, batch ? batchResultsOf(collection.prefix) : record]),
    ),
  } as unknown as Record<List['id'], ReturnType<typeof recordListOf<Schema>>> &
    Record<Read['id'], () => Schema> &
    Responses<Operations[number], Schema>,
});
