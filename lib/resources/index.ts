import { contactFacts } from './contacts.facts.ts';
import { eventRegistrationFacts } from './eventRegistrations.facts.ts';
import { orderFacts } from './orders.facts.ts';

/** The resources by type, in the order of the reference. */
export const resources = {
  contact: contactFacts,
  order: orderFacts,
  event_registration: eventRegistrationFacts,
};

export type ResourceType = keyof typeof resources;
export type Resource<Type extends ResourceType = ResourceType> = (typeof resources)[Type];

export const resourceTypes = /* @__PURE__ */ Object.keys(resources) as ResourceType[];

export const isResource = (type: string | undefined): type is ResourceType =>
  type !== undefined && Object.hasOwn(resources, type);

/** Returns the resource's name as people write it: `event registrations`. */
export const wordsFor = ({ path }: Pick<Resource, 'path'>): string => path.replaceAll('-', ' ');

/** Returns values of all resources. @param of takes them from the metadata of one @param more further values, of no resource */
export const ofAll = <Word extends string, const More extends string = never>(
  of: (facts: Resource, type: ResourceType) => readonly Word[],
  ...more: readonly More[]
) =>
  [...resourceTypes.flatMap((type) => of(resources[type], type)), ...more] as [
    Word | More,
    ...(Word | More)[],
  ];

/** Returns the values of several lists, one list after the other. */
export const words = <const Word extends string>(...lists: readonly (readonly Word[])[]) =>
  lists.flat() as readonly string[] as [Word, ...Word[]];

export const ofEach = <Value>(of: (facts: Resource, type: ResourceType) => Value) =>
  Object.fromEntries(resourceTypes.map((type) => [type, of(resources[type], type)])) as Record<
    ResourceType,
    Value
  >;

/** The scopes of keys. A key without any scope has full access. */
export const scopes = /* @__PURE__ */ ofAll(({ scopes }) => scopes, 'webhooks:manage');

export type Scope = (typeof scopes)[number];
