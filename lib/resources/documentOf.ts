import type * as z from 'zod';
import { recordListOf } from '../schemas/filters.ts';
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

/** The reference text of a resource. If a field has no text, it does not compile. */
interface ResourceProse<Type extends ResourceType, R extends Stored, Others extends string> {
  /** The name of the record's component, and its description. */
  name: string;
  description: string;
  /** One record in words, with its article: `an event registration`. */
  one: string;
  /** The short form, for sentences about several resources: `a registration`. */
  short: string;
  /** The plural, and what clients may do with the records. */
  many: string;
  about: string;
  notes: Notes<R>;
  /** The components of its objects, by the path of the field: `event.location`. */
  parts?: Readonly<Record<string, Part>>;
  components?: Components;
  /** A query with common mistakes. */
  mistaken: Record<string, string>;
  /** The notes of its event types, except creations and deletions, whose notes are the same for each resource. */
  events: {
    [Name in Exclude<Resource<Type>['eventTypes'][number], `${Type}.${'created' | 'deleted'}`>]: EventNote<R>;
  };
  /** The notes of its operations, except those that list, read or write records. */
  operations: { [Id in Exclude<Others, WriteId<Type>>]: OperationNote };
  /** Request bodies for writes: a new record, a patch, and one with common mistakes. */
  writes?: Record<'example' | 'patch' | 'mistaken', Readonly<Record<string, unknown>>>;
}

/** The response schemas of operations that change records: a record, or the results of a batch. */
type Responses<Each extends Operation, Schema> = {
  [O in Each as O['method'] extends 'GET' | 'DELETE' ? never : O['id']]: O extends { batch: object }
    ? ReturnType<typeof batchResultsOf>
    : () => Schema;
};

type ListOperation = Operation & { query: () => z.ZodObject };

/**
 * Returns the document of a resource with a list, an operation that reads a record, and optionally others.
 * infra/pages/reference/prose/resources.ts builds the reference from it.
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
