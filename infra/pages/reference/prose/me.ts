import type { Me, MyUsage } from '../../../../lib/contract/me.ts';
import type { Notes } from '../../../../lib/resources/notes.ts';

export const meNotes: Notes<Me> = {
  key_id: ['The id of the key. Rotating the key does not change it.', 'key_2h6w8r1v3z5b7k9m4n0cqtxj'],
  name: ['The name of the key.', 'CRM sync'],
  hint: ['The last four characters of the key.', 'x7Qd'],
  scopes: ['The scopes of the key. Empty if the key has full access.', ['contacts:read', 'contacts:write']],
  full_access: ['Whether the key may call every operation, including future ones.', false],
  account: ['The account that the key belongs to.', 'acme'],
  created_at: [
    'When the key was created. null if an earlier release of this API created it.',
    '2026-03-01T09:30:00.000Z',
  ],
  expires_at: ['When the key expires. null if it never does.', '2027-03-01T09:30:00.000Z'],
};

export const myUsageNotes: Notes<MyUsage> = {
  from: ['The start of the range, rounded down to the resolution.', '2026-03-01T09:00:00.000Z'],
  to: ['The end of the range, rounded up to the resolution and not included.', '2026-03-01T11:00:00.000Z'],
  resolution: ['Whether requests are counted by the hour or by the day, in UTC.', 'hour'],
  times: [
    'The start of each hour or day in the range, oldest first.',
    ['2026-03-01T09:00:00.000Z', '2026-03-01T10:00:00.000Z'],
  ],
  p95_ms: ['The 95th percentile of the response time over all groups, as in each group.', 58],
  groups: ['The requests, grouped by the class of their status.'],
};

export const usageGroupNotes: Notes<MyUsage['groups'][number]> = {
  status_class: ['The class of the status. Redirections such as 304 count as `2xx`.', '2xx'],
  requests: ['The number of requests in each of the `times`.', [120, 87]],
  total: ['The number of requests in the range.', 207],
  p95_ms: [
    'The time in which 95 % of the requests got their response, in milliseconds. It is estimated from a histogram whose steps grow by 40 %. null if there were no requests.',
    58,
  ],
};
