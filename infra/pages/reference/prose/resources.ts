// The reference of the resources: what each says about itself, and what follows from that.
import * as z from 'zod';
import { type Component, type Components, output } from '../../../../lib/resources/component.ts';
import { documents, type RecordOperation } from '../../../../lib/resources/documents.ts';
import type { Resource, ResourceType } from '../../../../lib/resources/index.ts';
import type { Notes } from '../../../../lib/resources/notes.ts';
import type { Params, Query } from '../../../../lib/resources/operation.ts';
import type { EventNote, OperationNote, PathParameterNote } from '../../../../lib/resources/reference.ts';
import { listNotes } from './lists.ts';
import { capitalized } from './names.ts';
import { listed, recordQueryNotes } from './recordQueries.ts';
import { inputParts, type WrittenDocument, writesOf } from './writeOperations.ts';

type AnyDocument = (typeof documents)[ResourceType];

/** Returns the operations by which clients write records, by type. */
const writes = (document: AnyDocument) => writesOf(document as unknown as WrittenDocument);

export const allWrites = Object.assign({}, ...Object.values(documents).map(writes)) as ReturnType<
  typeof writesOf
>;

function referenceOf(document: AnyDocument) {
  const { one, many, notes, list, read, collection } = document;
  const parts = document.parts ?? {};
  const groups = Object.fromEntries(Object.entries(parts).map(([path, [, , of]]) => [path, of]));
  const tag = capitalized(many);
  const thing = one.replace(/^an? /, '');
  const [, parameter = ''] = /\{(\w+)\}$/.exec(read.path) ?? [];
  return {
    tags: { [tag]: `The ${many} of the account. ${document.about}` },
    operations: {
      [list.id]: {
        tag,
        description: `Lists the ${many} of the account in the order in which the API first stored them, or in reverse. ${listed}`,
        success: 'The requested page.',
      },
      [read.id]: {
        tag,
        description: `Returns the ${thing}. With \`If-None-Match\`, the response contains the ${thing} only if it has changed.`,
        success: `The ${thing}.`,
      },
      ...Object.fromEntries(Object.entries(writes(document)).map(([id, { note }]) => [id, note])),
      ...document.operationNotes,
    },
    queries: { [list.id]: recordQueryNotes(collection, { many, notes, groups }) },
    mistakenQueries: { [list.id]: document.mistaken },
    pathParameters: {
      [parameter]: { thing, by: 'id' as const, example: notes.id?.[1] as string },
    },
    eventTypes: {
      [`${collection.type}.created`]: {
        what: `${capitalized(one)} was stored for the first time, whatever its status`,
      },
      [`${collection.type}.deleted`]: {
        what: `${capitalized(one)} was deleted or merged into another one`,
      },
      ...document.events,
    },
  };
}

/** The texts of all resources: each describes its operations, lists, paths and events. */
interface Prose {
  tags: Record<string, string>;
  operations: Record<RecordOperation['id'], OperationNote>;
  queries: {
    [Each in RecordOperation as Each extends { query: unknown } ? Each['id'] : never]: Notes<Query<Each>>;
  };
  mistakenQueries: Record<keyof Prose['queries'], Record<string, string>>;
  pathParameters: Record<Exclude<keyof Params<RecordOperation>, 'externalId'>, PathParameterNote>;
  eventTypes: Record<Resource['eventTypes'][number], EventNote<object>>;
}

const references = Object.values(documents).map(referenceOf);

/** Returns one kind of text of all resources. */
export const proseOf = <Name extends keyof Prose>(facet: Name): Prose[Name] =>
  Object.assign({}, ...references.map((reference) => reference[facet]));

/** Returns the schema of an object in a record, or of the entries of a list. */
const schemaAt = (record: z.ZodType, path: string): z.ZodType =>
  path.split('.').reduce((schema: z.ZodType, name) => {
    const field: unknown = (schema as z.ZodObject).shape[name];
    if (field instanceof z.ZodArray) return field.element as z.ZodType;
    return (field instanceof z.ZodNullable ? field.unwrap() : field) as z.ZodType;
  }, record);

/** Returns the schema of a page of the resource's list. */
const pageOf = ({ responses, list }: AnyDocument) =>
  (responses as Record<string, () => z.ZodType>)[list.id] as () => z.ZodType;

const componentsOf = (document: AnyDocument): [name: string, Component][] => [
  [document.name, output(document.record, document.description, document.notes)],
  ...Object.entries(document.parts ?? {}).map(([path, [name, description, notes]]): [string, Component] => [
    name,
    output(() => schemaAt(document.record(), path), description, notes),
  ]),
  ...Object.values(writes(document)).flatMap(({ components }) => Object.entries(components)),
  ...Object.entries(inputParts(document as unknown as WrittenDocument)),
  ...Object.entries(document.components ?? {}),
  [`${document.name}List`, output(pageOf(document), `A page of ${document.many}.`, listNotes)],
];

const components = Object.values(documents).flatMap(componentsOf);

for (const [i, [name]] of components.entries())
  if (components.findIndex(([other]) => other === name) !== i)
    throw new Error(`Two resources have a component ${name}: the document can have one of this name`);

export const recordComponents: Components = Object.fromEntries(components);
