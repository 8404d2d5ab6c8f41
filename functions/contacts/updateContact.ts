import { updateContact } from '../../lib/contract/contacts.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { contacts, patched } from '../../lib/records/contacts.ts';
import { updateRecord } from '../../lib/records/update.ts';

export const handler = endpoint(updateContact, ({ account, params, body, permit, deadline }) =>
  updateRecord(
    contacts,
    account,
    params.contactId,
    ({ record }) => {
      permit(record.version);
      return { content: patched(record, body) };
    },
    deadline,
  ),
);
