import { eraseRecord } from '../../records/erasure/eraseRecord.ts';
import { contacts } from '../../resources/contacts/record.ts';
import { eraseEvents } from './eraseEvents.ts';

/** What an erasure of a contact has done, with the field names of the API. */
export interface ErasedContact {
  account: string;
  id: string;
  /** The version that erased it, and when that was made. */
  version: number;
  erased_at: string;
  /** Whether it was blank before. */
  repeated: boolean;
  /** What else was erased now. */
  external_id: boolean;
  kept_answer: boolean;
  events: number;
  deliveries: number;
}

/**
 * Erases a contact, and what its events and deliveries have of it. It can be run again at any time: it does what is left.
 * @param deadline epoch milliseconds
 * @throws ApiError 404 when the account has no contact with this id
 */
export async function eraseContact(account: string, id: string, deadline: number): Promise<ErasedContact> {
  // The record comes first: each version before this one has its event, or gets it without the person.
  const record = await eraseRecord(contacts, account, id, deadline);
  const { version, erasedAt, repeated, externalId, keptAnswer } = record;
  const events = await eraseEvents(account, { id, before: version }, deadline);
  return {
    ...{ account, id, version, erased_at: erasedAt, repeated },
    ...{ external_id: externalId, kept_answer: keptAnswer, ...events },
  };
}
