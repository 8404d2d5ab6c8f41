import type { Component, Components } from './component.ts';
import { contactDocument } from './contacts.reference.ts';
import { eventRegistrationDocument } from './eventRegistrations.reference.ts';
import type { ResourceType } from './index.ts';
import type { AnyNotes } from './notes.ts';
import type { Operation } from './operation.ts';
import { orderDocument } from './orders.reference.ts';

/** A resource in the document. */
interface ResourceDocument {
  /** The component of its record. */
  name: string;
  /** One record in words, after the article: `an event registration`. */
  one: string;
  /** The same in a sentence about several resources: `a registration`. */
  short: string;
  list: Operation;
  read: Operation;
  /** All of them, in the order of the reference. */
  operations: readonly Operation[];
  notes: AnyNotes;
  components: Readonly<Record<string, Component>>;
}

/** What the document, CDK and the tests read of each resource. No Lambda loads it. */
export const documents = {
  contact: contactDocument,
  order: orderDocument,
  event_registration: eventRegistrationDocument,
} as const satisfies Record<ResourceType, ResourceDocument>;

type Documents = typeof documents;

/** The lists of all resources, as one list with the type of each entry. */
export const recordOperations = Object.values(documents).flatMap(
  ({ operations }): readonly Documents[ResourceType]['operations'][number][] => operations,
);

type Together<Each> = (Each extends unknown ? (each: Each) => 0 : never) extends (all: infer All) => 0
  ? All
  : never;
type Facet = keyof Documents[ResourceType]['reference'];

/** The prose of all resources about something. */
export const proseOf = <Name extends Facet>(facet: Name) =>
  Object.assign({}, ...Object.values(documents).map(({ reference }) => reference[facet])) as Together<
    Documents[ResourceType]['reference'][Name]
  >;

const components = Object.values(documents).flatMap(({ components }) =>
  Object.entries<Component>(components),
);

for (const [i, [name]] of components.entries())
  if (components.findIndex(([other]) => other === name) !== i)
    throw new Error(`Two resources have a component ${name}: the document can have one of this name`);

export const recordComponents: Components = Object.fromEntries(components);
