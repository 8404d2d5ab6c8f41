import { endpoint } from '../../lib/http/endpoint.ts';
import { getRecord } from '../../lib/records/get.ts';
import { getEventRegistration } from '../../lib/resources/eventRegistrations/operations.ts';
import { eventRegistrations } from '../../lib/resources/eventRegistrations/record.ts';

export const handler = endpoint(getEventRegistration, ({ account, params }) =>
  getRecord(eventRegistrations, account, params.registrationId),
);
