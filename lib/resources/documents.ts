import type { Component, Components } from './component.ts';
import { contactDocument } from './contacts.reference.ts';
import { eventRegistrationDocument } from './eventRegistrations.reference.ts';
import type { Resource, ResourceType } from './index.ts';
import type { Notes } from './notes.ts';
import type { Params, Query } from './operation.ts';
import { orderDocument } from './orders.reference.ts';
import type { EventNote, OperationNote, PathParameterNote } from './reference.ts';

/** What the document, CDK and the tests read of each resource. No Lambda loads it. */
export const documents = {
  contact: contactDocument,
  order: orderDocument,
  event_registration: eventRegistrationDocument,
} as const satisfies Record<ResourceType, object>;

type RecordOperation = (typeof documents)[ResourceType]['operations'][number];

/** The lists of all resources, as one list with the type of each entry. */
export const recordOperations = Object.values(documents).flatMap(
  ({ operations }): readonly RecordOperation[] => operations,
);

/** The prose of all resources: each says something of all its operations, lists, paths and events. */
interface Prose {
  tags: Record<string, string>;
  operations: Record<RecordOperation['id'], OperationNote>;
  queries: {
    [Each in RecordOperation as Each extends { query: unknown } ? Each['id'] : never]: Notes<Query<Each>>;
  };
  mistakenQueries: Record<keyof Prose['queries'], Record<string, string>>;
  pathParameters: Record<keyof Params<RecordOperation>, PathParameterNote>;
  eventTypes: Record<Resource['eventTypes'][number], EventNote<object>>;
}

/** The prose of all resources about something. */
export const proseOf = <Name extends keyof Prose>(facet: Name): Prose[Name] =>
  Object.assign({}, ...Object.values(documents).map(({ reference }) => reference[facet]));

const components = Object.values(documents).flatMap(({ components }) =>
  Object.entries<Component>(components),
);

for (const [i, [name]] of components.entries())
  if (components.findIndex(([other]) => other === name) !== i)
    throw new Error(`Two resources have a component ${name}: the document can have one of this name`);

export const recordComponents: Components = Object.fromEntries(components);
