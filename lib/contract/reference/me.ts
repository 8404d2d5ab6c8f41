import type { Me } from '../me.ts';
import type { Notes } from './notes.ts';

export const meNotes: Notes<Me> = {
  key_id: ['The id of the key. It stays the same when the key is rotated.', 'key_2h6w8r1v3z5b7k9m4n0cqtxj'],
  name: ['The name that the key was given.', 'CRM sync'],
  hint: ['The last four characters of the key.', 'x7Qd'],
  scopes: ['What the key may do. Empty when it has full access.', ['contacts:read', 'contacts:write']],
  full_access: ['Whether the key may do everything, also what will be added.', false],
  account: ['The account whose data the key is for.', 'acme'],
  expires_at: ['When the key stops to work; null is never.', '2027-03-01T09:30:00.000Z'],
};
