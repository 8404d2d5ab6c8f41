// The reference of a resource: what is said of it, and what follows from that.
import * as z from 'zod';
import type { Collection, Stored } from './collection.ts';
import { type Components, output } from './component.ts';
import type { Resource, ResourceType } from './index.ts';
import { listNotes } from './listNotes.ts';
import type { AnyNotes, Notes } from './notes.ts';
import type { Operation } from './operation.ts';
import { listed, queryNotes } from './queryNotes.ts';
import type { EventNote, OperationNote, PathParameterNote } from './reference.ts';
import type { Shaped } from './resource.ts';

/** The component of an object in the record. */
type Part = readonly [name: string, description: string, notes: AnyNotes];

/** What is said of a resource in words: what is missing does not compile. */
interface Told<Type extends ResourceType, R extends Stored, Others extends string> {
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
  /** Other components. */
  components?: Components;
  /** A query with common mistakes. */
  mistaken: Record<string, string>;
  events: {
    [Name in Exclude<Resource<Type>['eventTypes'][number], `${Type}.${'created' | 'deleted'}`>]: EventNote<R>;
  };
  /** The operations beside those that list and read records. */
  operations: { [Id in Others]: OperationNote };
  pathParameters?: Record<string, PathParameterNote>;
}

type ListOperation = Operation & { query: () => z.ZodObject; success: { body: () => z.ZodType } };

/** The document of a resource with a list, an operation that reads a record, and perhaps others. */
export function documentOf<
  Type extends ResourceType,
  R extends Stored,
  List extends ListOperation,
  Read extends Operation,
  Operations extends readonly Operation[],
>(
  collection: Collection<R, Type> & Shaped,
  record: () => z.ZodObject,
  [list, read, operations]: readonly [List, Read, Operations],
  told: Told<Type, R, Exclude<Operations[number]['id'], List['id'] | Read['id']>>,
) {
  const { name, one, many, parts = {} } = told;
  const notes = told.notes as AnyNotes;
  const tag = capital(many);
  const thing = one.replace(/^an? /, '');
  const [, parameter = ''] = /\{(\w+)\}$/.exec(read.path) ?? [];
  const groups = Object.fromEntries(Object.entries(parts).map(([path, [, , of]]) => [path, of]));
  return {
    name,
    one,
    short: told.short,
    list,
    read,
    operations,
    notes,
    reference: {
      tags: { [tag]: `The ${many} of an account. ${told.about}` },
      operations: {
        [list.id]: {
          tag,
          description: `The ${many} of the account, in the sequence in which this API stored them first, or in reverse. ${listed}`,
          success: 'The requested page.',
        },
        [read.id]: {
          tag,
          description: `The current ${thing}. With \`If-None-Match\`, the answer has it only if it has changed.`,
          success: `The ${thing}.`,
        },
        ...told.operations,
      },
      queries: { [list.id]: queryNotes(collection, { many, notes, groups }) },
      mistakenQueries: { [list.id]: told.mistaken },
      pathParameters: {
        [parameter]: { thing, by: 'id' as const, example: notes.id?.[1] as string },
        ...told.pathParameters,
      },
      eventTypes: {
        [`${collection.type}.created`]: {
          what: `${capital(one)} was stored for the first time, in any state`,
        },
        [`${collection.type}.deleted`]: {
          what: `${capital(one)} was deleted, and perhaps merged into another one`,
        },
        ...told.events,
      },
    },
    components: {
      [name]: output(record, told.description, notes),
      ...Object.fromEntries(
        Object.entries(parts).map(([path, [part, what, of]]) => [
          part,
          output(() => schemaAt(record(), path), what, of),
        ]),
      ),
      ...told.components,
      [`${name}List`]: output(list.success.body, `A page of ${many}.`, listNotes),
    },
  };
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The schema of an object in a record, or of the entries of a list. */
const schemaAt = (record: z.ZodType, path: string): z.ZodType =>
  path.split('.').reduce((schema: z.ZodType, name) => {
    const field: unknown = (schema as z.ZodObject).shape[name];
    if (field instanceof z.ZodArray) return field.element as z.ZodType;
    return (field instanceof z.ZodNullable ? field.unwrap() : field) as z.ZodType;
  }, record);
