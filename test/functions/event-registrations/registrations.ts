import { inAccount } from '../../../lib/records/recordKeys.ts';
import {
  type EventRegistration,
  eventRegistrationDraft,
  eventRegistrations,
} from '../../../lib/resources/eventRegistrations.ts';
import { stored } from '../../support/data/given.ts';

let count = 0;

/** A valid registration as the product's systems send it. */
export const aRegistration = (more: object = {}) => ({
  external_id: `registration-${++count}`,
  event: { id: 'event-1', name: 'A meeting', starts_at: '2026-06-01T18:00:00Z', timezone: 'Europe/Berlin' },
  ticket: { type_id: 'regular', type_name: 'Regular', price_amount: 0, currency: 'EUR' },
  status: 'confirmed',
  registered_at: '2026-03-01T10:30:00Z',
  ...more,
});

export const givenRegistrations = (account: string, drafts: object[]): Promise<EventRegistration[]> =>
  stored(
    inAccount(eventRegistrations, account),
    drafts.map((draft) => eventRegistrationDraft().parse(draft)),
  );
