import { getEventRegistration } from '../../lib/contract/eventRegistrations.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { eventRegistrations } from '../../lib/records/eventRegistrations.ts';
import { getRecord } from '../../lib/records/get.ts';

export const handler = endpoint(getEventRegistration, ({ account, params }) =>
  getRecord(eventRegistrations, account, params.registrationId),
);
