import { asAnswer } from '../../lib/http/answers.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { createRecord } from '../../lib/records/create/create.ts';
import { inAccount } from '../../lib/records/keys.ts';
import { contacts, createContact } from '../../lib/resources/contacts.ts';

export const handler = endpoint(createContact, async ({ account, body, deadline, once, origin }) =>
  asAnswer(await createRecord(inAccount(contacts, account), body, { deadline, once, origin })),
);
