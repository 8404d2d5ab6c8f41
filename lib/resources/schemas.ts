import type * as z from 'zod';
import { importedContact } from './contacts/draft.ts';
import { contact } from './contacts/fields.ts';
import { eventRegistrationDraft } from './eventRegistrations/draft.ts';
import { eventRegistration } from './eventRegistrations/fields.ts';
import type { ResourceType } from './index.ts';
import { orderDraft } from './orders/draft.ts';
import { order } from './orders/fields.ts';

/** Of each resource the record as answers show it, and the draft: the whole record from another system, with an `external_id`. */
export const schemas = {
  contact: { record: contact, draft: importedContact },
  order: { record: order, draft: orderDraft },
  event_registration: { record: eventRegistration, draft: eventRegistrationDraft },
} satisfies Record<ResourceType, { record: () => z.ZodObject; draft: () => z.ZodType }>;

export type Schemas = typeof schemas;
