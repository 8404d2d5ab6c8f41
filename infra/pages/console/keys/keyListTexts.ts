import { counted } from '../locale.ts';

// All texts of the list of keys.

export const title = 'API keys';
export const about = 'Keys let your programs use the API. Create one for each program.';
export const create = 'Create key';
export const none = 'No API keys yet';
export const noneAbout = 'A program needs a key to read or change the data of this account.';
export const noneCreate = 'Create one for each program, with only the permissions that it needs.';
export const noneViewer = 'An administrator can create one.';
export const guide = 'Getting started';
export const search = 'Search by name or last 4 characters';
export const searchHint = 'Name or last 4 characters';
export const only = 'Show';
export const onlyAll = 'All';
export const kinds = {
  full: 'Full access',
  unused30: 'Not used for 30 days',
  unused90: 'Not used for 90 days',
  expiring: 'Expiring within a week',
} as const;
export const showAll = (count: number) => `Show all ${counted(count)} keys`;
export const ended = (count: number) => `Show expired and revoked (${counted(count)})`;
export const count = (shown: number, all: number) =>
  `${shown === all ? '' : `${counted(shown)} of `}${counted(all)} ${all === 1 ? 'key' : 'keys'}`;
export const nothing = (words: string) => `No key has “${words}” in its name or as its last 4 characters.`;
export const nothingOther = 'No keys match.';
export const allEnded = (mayChange: boolean) =>
  `All keys have expired or were revoked. ${mayChange ? 'Create one, or show' : 'Show'} these.`;
export const created = 'Created {day}';
export const createdBy = 'Created {day} by {person}';
export const until = 'until {time}';
export const hintsFullForEver = 'Full access that never expires';
export const hintsUnused = (days: number) => `Not used for ${days} days: safe to revoke?`;
export const never = 'Never';
export const actions = { edit: 'Edit…', rotate: 'Rotate…', revoke: 'Revoke…' } as const;
export const columns = [
  'Name',
  'Key',
  'Access',
  'Status',
  'Last used',
  'Expires',
  { name: 'Requests 24 h', isNumber: true },
] as const;
export const failed = (count: number) => `${counted(count)} failed`;
