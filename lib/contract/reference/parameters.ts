import { contactNotes } from './contacts.ts';
import { eventRegistrationNotes } from './eventRegistrations.ts';
import { orderNotes } from './orders.ts';
import { deliveryNotes, subscriptionNotes } from './webhooks.ts';

/** The parameters of paths: what has the id, and an id. */
export const pathParameterNotes = {
  contactId: { thing: 'contact', example: contactNotes.id[1] },
  orderId: { thing: 'order', example: orderNotes.id[1] },
  registrationId: { thing: 'event registration', example: eventRegistrationNotes.id[1] },
  subscriptionId: { thing: 'webhook subscription', example: subscriptionNotes.id[1] },
  deliveryId: { thing: 'webhook delivery', example: deliveryNotes.id[1] },
};

export type PathParameter = keyof typeof pathParameterNotes;

/** The parameters of lists. */
export const queryParameterNotes: Record<string, string> = {
  limit: 'How many records the page may hold. More than 100 is refused, and not cut.',
  offset: 'How many records to skip. Any offset costs the same.',
};
