import type * as z from 'zod';
import { contact, importedContact } from './contacts.ts';
import { eventRegistration, eventRegistrationDraft } from './eventRegistrations.ts';
import type { ResourceType } from './index.ts';
import { order, orderDraft } from './orders.ts';

/** The schemas of each resource: the record in responses, and the draft, a whole record of another system with an `external_id`. */
export const schemas = {
  contact: { record: contact, draft: importedContact },
  order: { record: order, draft: orderDraft },
  event_registration: { record: eventRegistration, draft: eventRegistrationDraft },
} satisfies Record<ResourceType, { record: () => z.ZodObject; draft: () => z.ZodType }>;

export type Schemas = typeof schemas;
