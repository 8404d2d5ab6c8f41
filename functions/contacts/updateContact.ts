import { endpoint } from '../../lib/http/endpoint.ts';
import { inAccount } from '../../lib/records/keys.ts';
import { updateRecord } from '../../lib/records/update.ts';
import { patched } from '../../lib/resources/contactPatch.ts';
import { contacts, updateContact } from '../../lib/resources/contacts.ts';

export const handler = endpoint(updateContact, ({ account, params, body, permit, deadline, origin }) =>
  updateRecord(
    inAccount(contacts, account),
    params.contactId,
    ({ record }) => {
      permit(record.version);
      return { content: patched(record, body) };
    },
    { deadline, origin },
  ),
);
