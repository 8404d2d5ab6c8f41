import { CreatedAnswer } from '../../lib/http/answers.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { inAccount } from '../../lib/records/keys.ts';
import { upsertRecord } from '../../lib/records/upsert/upsert.ts';
import { withExternalId } from '../../lib/resources/contactPatch.ts';
import { contacts, upsertContact } from '../../lib/resources/contacts.ts';

export const handler = endpoint(
  upsertContact,
  async ({ account, params, body, deadline, origin, permit }) => {
    const content = withExternalId(body, params.externalId);
    const { record, isNew } = await upsertRecord(inAccount(contacts, account), content, {
      deadline,
      origin,
      permit,
    });
    return isNew ? new CreatedAnswer(record) : record;
  },
);
