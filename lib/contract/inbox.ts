import * as z from 'zod';
import { eventRegistrationDraft } from './eventRegistrationDraft.ts';
import { importedContact } from './importedContact.ts';
import { lazy } from './operation.ts';
import { orderDraft } from './orderDraft.ts';
import { account } from './values/fields.ts';
import { isObject } from './values/json.ts';
import { object } from './values/structure.ts';

/** The schemas of records from other systems, by the resource's name in paths. Each record is whole and has an `external_id`. */
export const statements = {
  contacts: importedContact,
  orders: orderDraft,
  'event-registrations': eventRegistrationDraft,
};

export type StatedResource = keyof typeof statements;

const names = Object.keys(statements) as StatedResource[];

const messageOf = <const Resource extends StatedResource>(resource: Resource) =>
  object({ account: account(), resource: z.literal(resource), record: statements[resource]() });

/** A message of the records inbox: the state of a record of an account. */
export const inboxMessage = lazy(() =>
  z.discriminatedUnion(
    'resource',
    [messageOf('contacts'), messageOf('orders'), messageOf('event-registrations')],
    {
      error: ({ input }) =>
        isObject(input) ? `must be one of ${names.join(', ')}` : 'must be a JSON object',
    },
  ),
);
