import { counted } from '../numbers.ts';

// All texts of the page of a key and of its dialogs.

export const details = {
  back: '← API keys',
  reading: 'API key',
  toAll: 'To all API keys',
  notAll: 'Not every change of this key is recorded:',
  notAllAbout: (changes: number, recorded: number) =>
    `it was changed ${counted(changes)} times, and ${counted(recorded)} are recorded. Somebody may have changed it outside this page and API. Ask the operator of the API, or revoke it.`,
  secrets: 'Secrets',
  expired:
    'This key has expired, so requests with it are refused. An expired key cannot be extended: create a new one.',
  endOld: 'End the old secret now',
  endOldWaiting: 'Ending…',
  isEnded: 'Only the newest secret works from now on.',
  history: 'History',
  inActivity: 'in Activity',
  status: 'Status',
  access: 'Access',
  lastUsed: 'Last used',
  requests: 'Requests 24 h',
  usage: 'Usage',
  failed: 'Failed',
  expires: 'Expires',
  created: 'Created',
  createdBy: '{time} by {person}',
  id: 'ID',
} as const;
export const secretColumns = ['Secret', 'Works until', 'Last used'] as const;
export const untilRotated = 'it is rotated';
export const untilKeyEnds = 'it is rotated, or the key ends, {time}';
export const hasEnded = '{time}, ended';
export const create = {
  title: 'Create an API key',
  action: 'Create key',
  waiting: 'Creating…',
} as const;
export const edit = {
  title: 'Edit “{name}”',
  action: 'Save',
  anyway: 'Save anyway',
  waiting: 'Saving…',
  sameNever: 'Never, as it is',
  same: (day: string) => `${day}, as it is`,
  newer: (name: string) =>
    `Somebody else has changed this key in the meantime. It is now called “${name}”. What you typed is still here, and saving changes only that.`,
} as const;
export const rotate = {
  title: 'Rotate “{name}”',
  action: 'Rotate key',
  waiting: 'Rotating…',
  about: 'The key gets a new secret, which is shown once. Name, access and expiry stay.',
} as const;
export const revoke = {
  title: 'Revoke “{name}”?',
  action: 'Revoke key',
  waiting: 'Revoking…',
  refused: 'Requests with {name} are refused within seconds. This cannot be undone.',
  allRefused:
    'Requests with {name} and with its older secrets are refused within seconds. This cannot be undone.',
  lastUsed: 'Last used: {time}, {requests} in the last 24 hours',
  requests: (count: number) => (count === 1 ? '1 request' : `${counted(count)} requests`),
  readingDone: 'requests of the last 24 hours',
  looking: 'Looking for its webhook subscriptions…',
  unknown: (why: string) => `Its webhook subscriptions cannot be read: ${why}`,
  pause: (count: number) =>
    `Pause ${count === 1 ? 'the one that is sent events' : `the ${counted(count)} that are sent events`}`,
  leavesNone: 'No webhook subscriptions use this key.',
  leaves: (count: number) =>
    `It has made or changed ${count === 1 ? 'a webhook subscription, which stays' : 'webhook subscriptions, which stay'}. If the key has leaked, somebody else may get your events there:`,
} as const;
export const secret = {
  copy: (name: string) => `Copy the key “${name}” now`,
  label: 'API key',
  trial: 'Try it in a terminal',
  lost: (name: string) => `The secret of “${name}” was lost`,
  action: 'Rotate now',
  waiting: 'Rotating…',
  lostAbout:
    'The key exists, once. But the answer with its secret did not arrive, and no secret is kept to be shown again. Rotate the key to get a new secret. The lost one ends at once.',
} as const;
export const fields = {
  noName: 'Say what the key is for.',
  noScopes: 'Choose at least one.',
  name: 'Name',
  nameHint: 'Warehouse sync',
  access: 'Access',
  scoped: 'Selected permissions',
  scopedAbout: '(recommended)',
  full: 'Full access',
  fullAbout: 'including future permissions',
  expires: 'Expires',
  never: 'Never',
  onDate: 'On a date…',
  date: 'Last day on which it works',
  noDate: 'Choose today or a later day.',
  after: (days: number) => `After ${days} days`,
} as const;
export const saved = (name: string) => `“${name}” is saved.`;
export const revoked = (name: string) => `“${name}” is revoked.`;
