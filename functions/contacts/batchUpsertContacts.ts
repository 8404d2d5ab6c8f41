import { endpoint } from '../../lib/http/endpoint.ts';
import { upsertingMany } from '../../lib/http/writeHandlers.ts';
import { batchUpsertContacts, contacts } from '../../lib/resources/contacts.ts';

export const handler = endpoint(batchUpsertContacts, upsertingMany(contacts, 'contacts'));
