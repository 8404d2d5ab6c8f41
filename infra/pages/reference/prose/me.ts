import type { Me, MyUsage } from '../../../../lib/contract/me.ts';
import type { Notes } from '../../../../lib/resources/notes.ts';

export const meNotes: Notes<Me> = {
  key_id: ['The id of the key. It stays the same when the key is rotated.', 'key_2h6w8r1v3z5b7k9m4n0cqtxj'],
  name: ['The name of the key.', 'CRM sync'],
  hint: ['The last four characters of the key.', 'x7Qd'],
  scopes: ['The scopes of the key. Empty if it has full access.', ['contacts:read', 'contacts:write']],
  full_access: ['Whether the key may call every operation, also operations that will be added.', false],
  account: ['The account whose data the key is for.', 'acme'],
  created_at: [
    'When the key was created; null if an earlier release of this API created it.',
    '2026-03-01T09:30:00.000Z',
  ],
  expires_at: ['When the key expires; null means never.', '2027-03-01T09:30:00.000Z'],
};

export const myUsageNotes: Notes<MyUsage> = {
  from: ['The start of the range, rounded down to the resolution.', '2026-03-01T09:00:00.000Z'],
  to: [
    'The end of the range, which is not included, rounded up to the resolution.',
    '2026-03-01T11:00:00.000Z',
  ],
  resolution: ['Whether requests are counted by the hour or by the day, in UTC.', 'hour'],
  times: [
    'The starts of the hours or days, oldest first, without gaps.',
    ['2026-03-01T09:00:00.000Z', '2026-03-01T10:00:00.000Z'],
  ],
  p95_ms: ['The same as that of a group, for all requests together.', 58],
  groups: ['The requests by the class of their status.'],
};

export const usageGroupNotes: Notes<MyUsage['groups'][number]> = {
  status_class: ['The class of the status. A response like 304 counts as `2xx`.', '2xx'],
  requests: ['The number of requests in each of the `times`.', [120, 87]],
  total: ['The number of requests in the range.', 207],
  p95_ms: [
    'The time within which 95 % of the requests got their response, in milliseconds, estimated from counts in steps of 40 %; null if there was no request.',
    58,
  ],
};
