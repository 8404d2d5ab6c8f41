import { endpoint } from '../../lib/http/endpoint.ts';
import { updateRecord } from '../../lib/records/update.ts';
import { updateContact } from '../../lib/resources/contacts/operations.ts';
import { patched } from '../../lib/resources/contacts/patch.ts';
import { contacts } from '../../lib/resources/contacts/record.ts';

export const handler = endpoint(updateContact, ({ account, params, body, permit, deadline, origin }) =>
  updateRecord(
    contacts,
    account,
    params.contactId,
    ({ record }) => {
      permit(record.version);
      return { content: patched(record, body) };
    },
    { deadline, origin },
  ),
);
