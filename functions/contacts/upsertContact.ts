import { upsertContact } from '../../lib/contract/contactUpserts.ts';
import { CreatedAnswer } from '../../lib/http/createdAnswer.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { contacts, withExternalId } from '../../lib/records/contacts.ts';
import { upsertRecord } from '../../lib/records/upsert/upsertOne.ts';

export const handler = endpoint(upsertContact, async ({ account, params, body, deadline, permit }) => {
  const content = withExternalId(body, params.externalId);
  const { record, isNew } = await upsertRecord(contacts, account, content, { deadline, permit });
  return isNew ? new CreatedAnswer(record) : record;
});
