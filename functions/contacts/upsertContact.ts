import { endpoint } from '../../lib/http/endpoint.ts';
import { upserting } from '../../lib/http/writeHandlers.ts';
import { contacts, upsertContact } from '../../lib/resources/contacts.ts';

export const handler = endpoint(upsertContact, upserting(contacts));
