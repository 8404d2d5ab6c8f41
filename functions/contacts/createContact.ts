import { createContact } from '../../lib/contract/contacts.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { asAnswer } from '../../lib/http/replayed.ts';
import { contacts } from '../../lib/records/contacts.ts';
import { createRecord } from '../../lib/records/create/create.ts';

export const handler = endpoint(createContact, async ({ account, body, deadline, once }) =>
  asAnswer(await createRecord(contacts, account, body, { deadline, once })),
);
