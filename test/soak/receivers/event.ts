import type { Contact } from '../../../lib/resources/contacts/fields.ts';
import type { Account } from '../client/account.ts';

/** A webhook with a full payload. */
export interface Event {
  id: string;
  type: string;
  resource: { type: string; id: string; version: number };
  data: Contact;
}

/** @returns what is wrong with an event that comes to a receiver of an account */
export function wrongWithEvent({ records, events }: Account, event: Event): string | undefined {
  const { id, type, resource, data } = event;
  const { version } = resource;
  if (type !== (version === 1 ? 'contact.created' : 'contact.updated'))
    return `event ${id} is ${type} of version ${version}`;
  if (data.id !== resource.id || data.version !== version)
    return `event ${id} has the data of version ${data.version} of ${data.id}`;
  // It tells of the time of the change, so any later version may be acknowledged.
  return records.wrongWith(data, 0) ?? events.wrongId(records.rowOf(resource.id), version, id);
}
