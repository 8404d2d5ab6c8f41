import { endpoint } from '../../lib/http/endpoint.ts';
import { creating } from '../../lib/http/writeHandlers.ts';
import { contacts, createContact } from '../../lib/resources/contacts.ts';

export const handler = endpoint(createContact, creating(contacts));
