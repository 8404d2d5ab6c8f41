import * as z from 'zod';
import { eventRegistrationDraft } from './eventRegistrationDraft.ts';
import { importedContact } from './importedContact.ts';
import { lazy } from './operation.ts';
import { orderDraft } from './orderDraft.ts';
import { account } from './values/fields.ts';
import { isObject } from './values/json.ts';
import { object } from './values/structure.ts';

/** What other systems state, by the name of the resource in paths: each record whole, with its `external_id`. */
export const statements = {
  contacts: importedContact,
  orders: orderDraft,
  'event-registrations': eventRegistrationDraft,
};

export type StatedResource = keyof typeof statements;

const names = Object.keys(statements) as StatedResource[];

const messageOf = <const Resource extends StatedResource>(resource: Resource) =>
  object({ account: account(), resource: z.literal(resource), record: statements[resource]() });

/** A message on the records inbox: that an account's record now is so. */
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
