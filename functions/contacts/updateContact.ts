import { endpoint } from '../../lib/http/endpoint.ts';
import { updating } from '../../lib/http/writeHandlers.ts';
import { contacts, updateContact } from '../../lib/resources/contacts.ts';

export const handler = endpoint(updateContact, updating(contacts));
