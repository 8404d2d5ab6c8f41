import type { Me } from '../me.ts';
import type { Notes } from './notes.ts';

export const meNotes: Notes<Me> = {
  key_id: ['The id of the key. It stays the same when the key is rotated.', 'key_2h6w8r1v3z5b7k9m4n0cqtxj'],
  name: ['The name of the key.', 'CRM sync'],
  hint: ['The last four characters of the key.', 'x7Qd'],
  scopes: ['The scopes of the key. Empty when it has full access.', ['contacts:read', 'contacts:write']],
  full_access: ['Whether the key may call every operation, also operations that will be added.', false],
  account: ['The account whose data the key is for.', 'acme'],
  expires_at: ['When the key expires; null means never.', '2027-03-01T09:30:00.000Z'],
};
