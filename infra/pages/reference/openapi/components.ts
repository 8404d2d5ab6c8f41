import * as z from 'zod';
import { change, changeList } from '../../../../lib/contract/changes.ts';
import { me, myUsage } from '../../../../lib/contract/me.ts';
import { knownOrigin } from '../../../../lib/contract/origin.ts';
import { responses } from '../../../../lib/contract/responses.ts';
import { errorNames } from '../../../../lib/errors/apiError.ts';
import { addressNotes, customFieldsExample } from '../../../../lib/resources/sharedNotes.ts';
import { address, addressPatch, snapshotAddress } from '../../../../lib/schemas/addresses.ts';
import { customFields } from '../../../../lib/schemas/shared.ts';
import { usageGroup } from '../../../../lib/schemas/usageFields.ts';
import {
  changeExample,
  changeListNotes,
  changeNotes,
  changePaginationNotes,
  changeResourceNotes,
} from '../prose/changes.ts';
import { errorNotes } from '../prose/errorDescriptions.ts';
import { listNotes, paginationNotes, recordPaginationNotes } from '../prose/lists.ts';
import { meNotes, myUsageNotes, usageGroupNotes } from '../prose/me.ts';
import { originNotes } from '../prose/origin.ts';
import { recordComponents } from '../prose/resources.ts';
import { type Components, input, output, schemasOf } from './componentSchema.ts';
import { eventComponents } from './eventComponents.ts';
import { subscriptionComponents } from './subscriptionComponents.ts';

const error = () => z.strictObject({ error: z.enum(Object.values(errorNames)), message: z.string().min(1) });

/** The named schemas, in the order of the document. */
const components: Components = {
  ...recordComponents,
  Address: output(address, 'A postal address, with all its parts.', addressNotes),
  AddressSnapshot: output(
    snapshotAddress,
    'A postal address of an order or an event, as it was typed, with all its parts.',
    {
      ...addressNotes,
      country: ['The country, as a code of ISO 3166-1 alpha-2 if it was given as one.', 'DE'],
    },
  ),
  AddressInput: input(addressPatch, 'A postal address, or some parts of one.', addressNotes),
  CustomFields: output(
    customFields,
    'Custom fields by their names, with any values: texts, numbers, true and false, lists and objects.',
    {},
    { example: customFieldsExample },
  ),
  Change: output(change, 'A change of a record.', changeNotes, { example: changeExample }),
  ChangedResource: output(
    () => change().shape.resource,
    'The record or the webhook subscription that a change is about, and its version.',
    changeResourceNotes,
  ),
  Origin: output(knownOrigin, 'Who made a change.', originNotes),
  ...subscriptionComponents,
  Me: output(me, 'An API key: its name, account and scopes, never the key itself.', meNotes),
  KeyUsage: output(myUsage, 'How many requests a key has sent in a range of time.', myUsageNotes),
  KeyUsageGroup: output(
    usageGroup,
    'The requests whose responses had a status of one class.',
    usageGroupNotes,
  ),
  ChangeList: output(changeList, 'A page of changes.', changeListNotes),
  ChangePagination: output(
    () => changeList().shape.pagination,
    'The position of a page among the numbers of changes.',
    changePaginationNotes,
  ),
  WebhookSubscriptionList: output(
    responses.listWebhookSubscriptions,
    'A page of webhook subscriptions.',
    listNotes,
  ),
  WebhookDeliveryList: output(responses.listWebhookDeliveries, 'A page of webhook deliveries.', listNotes),
  RecordPagination: output(
    () => responses.listContacts().shape.pagination,
    'The position of a page in its list, and where the next page begins.',
    recordPaginationNotes,
  ),
  Pagination: output(
    () => responses.listWebhookSubscriptions().shape.pagination,
    'The position of a page in its list.',
    paginationNotes,
  ),
  // Not called Error, because many languages have a type with that name.
  ErrorBody: output(error, 'The body of every error, from every layer.', errorNotes),
  ...eventComponents,
};

export const { schemas, exampleOf } = schemasOf(components);

/** Returns the name of the component for an operation's schema. @param what the use of the schema, as the subject of the error's sentence */
export function componentOf(schema: () => z.ZodType, what: string): string {
  const [name] = Object.entries(components).find(([, component]) => component.schema() === schema()) ?? [];
  if (name) return name;
  throw new Error(
    `${what} has no name in the document: add its schema to infra/pages/reference/openapi/components.ts`,
  );
}
