import * as z from 'zod';
import { lazy } from '../lazy.ts';
import { ofAll, type Resource, type ResourceType, resources, resourceTypes } from '../resources/index.ts';
import { type Schemas, schemas } from '../resources/schemas.ts';
import { account } from '../values/fields.ts';
import { isObject } from '../values/json.ts';
import { object } from '../values/structure.ts';

/** The name of a resource in paths. */
export type StatedResource = Resource['path'];

/** The types of records, by the resource's name in paths. */
export const typeOfPath = Object.fromEntries(resourceTypes.map((type) => [resources[type].path, type])) as {
  [Type in ResourceType as Resource<Type>['path']]: Type;
};

/** The schemas of records from other systems, by the resource's name in paths. Each record is whole and has an `external_id`. */
export const statements = Object.fromEntries(
  resourceTypes.map((type) => [resources[type].path, schemas[type].draft]),
) as { [Type in ResourceType as Resource<Type>['path']]: Schemas[Type]['draft'] };

const messageOf = (resource: StatedResource) =>
  object({ account: account(), resource: z.literal(resource), record: statements[resource]() });

type Message = ReturnType<typeof messageOf>;

/** A message of the records inbox: the state of a record of an account. */
export const inboxMessage = lazy(() => {
  const names = ofAll(({ path }) => [path]);
  return z.discriminatedUnion('resource', names.map(messageOf) as [Message, ...Message[]], {
    error: ({ input }) => (isObject(input) ? `must be one of ${names.join(', ')}` : 'must be a JSON object'),
  });
});
