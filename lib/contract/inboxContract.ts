import * as z from 'zod';
import {
  isResource,
  ofAll,
  type Resource,
  type ResourceType,
  resources,
  resourceTypes,
} from '../resources/index.ts';
import { type Schemas, schemas } from '../resources/schemas.ts';
import { account, knownWord } from '../schemas/fields.ts';
import { isObject } from '../schemas/json.ts';
import { lazy } from '../schemas/lazy.ts';
import { deletion } from '../schemas/mergeTerms.ts';
import { readAs, ruleError } from '../schemas/reading.ts';
import { object } from '../schemas/structure.ts';

export type ResourcePath = Resource['path'];

/** The types of records, by the resource's name in paths. */
export const typeOfPath = /* @__PURE__ */ Object.fromEntries(
  resourceTypes.map((type) => [resources[type].path, type]),
) as {
  [Type in ResourceType as Resource<Type>['path']]: Type;
};

const names = /* @__PURE__ */ ofAll(({ path }, type) => [path, type]);

/** Returns the resource that a name surely means, because other systems write `Contact` and `event_registrations`. */
export function resourceNamed(sent: string): ResourcePath | undefined {
  const name = knownWord(sent, names);
  return isResource(name) ? resources[name].path : (name as ResourcePath | undefined);
}

/** The schemas of records from other systems, by the resource's name in paths. Each record is complete and has an `external_id`. */
export const recordSchemas = /* @__PURE__ */ Object.fromEntries(
  resourceTypes.map((type) => [resources[type].path, schemas[type].draft]),
) as { [Type in ResourceType as Resource<Type>['path']]: Schemas[Type]['draft'] };

const about = (resource: ResourcePath) => ({ account: account(), resource: z.literal(resource) });

const recordMessageOf = (resource: ResourcePath) =>
  object({ ...about(resource), record: recordSchemas[resource]() });

/** Replaces the record in a message or a line of an import to delete it. */
const deleted = (resource: ResourcePath) => ({
  deleted: deletion(resources[typeOfPath[resource]].prefix),
});

export const deletedLine = (resource: ResourcePath) => object(deleted(resource));

const deletionOf = (resource: ResourcePath) => object({ ...about(resource), ...deleted(resource) });

const named = (sent: unknown): unknown => {
  const { resource } = isObject(sent) ? (sent as { resource?: unknown }) : {};
  const meant = typeof resource === 'string' ? resourceNamed(resource) : undefined;
  return meant === undefined ? sent : { ...(sent as object), resource: meant };
};

/** The names of the resources in paths. */
export const resourcePaths = /* @__PURE__ */ ofAll(({ path }) => [path]);

/** A message whose record is parsed separately, because one unreadable field need not reject the record. */
export const inboxEnvelope = /* @__PURE__ */ lazy(() =>
  object({
    account: account(),
    resource: readAs(
      z.enum(resourcePaths, ruleError(`must be one of ${resourcePaths.join(', ')}`)),
      (sent) => (typeof sent === 'string' ? (resourceNamed(sent) ?? sent) : sent),
    ),
    record: z.custom<object>(isObject, 'must be a JSON object'),
  }),
);

/** Messages about each resource, found by its name. */
const ofResources = <Message extends z.ZodObject>(messageOf: (resource: ResourcePath) => Message) =>
  readAs(
    z.discriminatedUnion('resource', resourcePaths.map(messageOf) as [Message, ...Message[]], {
      error: ({ input }) =>
        isObject(input) ? `must be one of ${resourcePaths.join(', ')}` : 'must be a JSON object',
    }),
    named,
  );

/** A message of the records inbox with the state of a record. */
export const inboxMessage = /* @__PURE__ */ lazy(() => ofResources(recordMessageOf));

/** A message of the records inbox with the deletion of a record. */
export const inboxDeletion = /* @__PURE__ */ lazy(() => ofResources(deletionOf));
