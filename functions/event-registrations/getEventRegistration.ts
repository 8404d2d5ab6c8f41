import { endpoint } from '../../lib/http/endpoint.ts';
import { getRecord } from '../../lib/records/get.ts';
import { inAccount } from '../../lib/records/recordKeys.ts';
import { eventRegistrations, getEventRegistration } from '../../lib/resources/eventRegistrations.ts';

export const handler = endpoint(getEventRegistration, ({ account, params }) =>
  getRecord(inAccount(eventRegistrations, account), params.registrationId),
);
