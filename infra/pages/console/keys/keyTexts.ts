import { counted } from '../locale.ts';

// All texts of the page of a key and of its dialogs.

export const detailsBack = '← API keys';
export const detailsKey = 'API key';
export const detailsNotAll = 'Not every change of this key is recorded:';
export const detailsNotAllAbout = (changes: number, recorded: number) =>
  `it was changed ${counted(changes)} times, and ${counted(recorded)} are recorded. Somebody may have changed it outside this page and API. Ask the operator of the API, or revoke it.`;
export const detailsSecrets = 'Secrets';
export const detailsExpired =
  'This key has expired, so requests with it are rejected. An expired key cannot be extended: create a new one.';
export const detailsEndOld = 'End the old secret now';
export const detailsEndOldWaiting = 'Ending…';
export const detailsIsEnded = 'Only the newest secret works from now on.';
export const detailsHistory = 'History';
export const detailsStatus = 'Status';
export const detailsAccess = 'Access';
export const detailsLastUsed = 'Last used';
export const detailsRequests = 'Requests 24 h';
export const detailsUsage = 'Usage';
export const detailsFailed = 'Failed';
export const detailsExpires = 'Expires';
export const detailsCreated = 'Created';
export const detailsCreatedBy = '{time} by {person}';
export const detailsId = 'ID';
export const secretColumns = ['Secret', 'Works until', 'Last used'] as const;
export const untilRotated = 'it is rotated';
export const untilKeyEnds = 'it is rotated, or the key ends, {time}';
export const hasEnded = '{time}, ended';
export const createTitle = 'Create an API key';
export const createAction = 'Create key';
export const createWaiting = 'Creating…';
export const editTitle = 'Edit “{name}”';
export const editSameNever = 'Never, as it is';
export const editSame = (day: string) => `${day}, as it is`;
export const editNewer = (name: string) =>
  `Somebody else has changed this key in the meantime. It is now called “${name}”. What you typed is still here, and saving changes only that.`;
export const rotateTitle = 'Rotate “{name}”';
export const rotateAction = 'Rotate key';
export const rotateWaiting = 'Rotating…';
export const rotateAbout = 'The key gets a new secret, which is shown once. Name, access and expiry stay.';
export const revokeTitle = 'Revoke “{name}”?';
export const revokeAction = 'Revoke key';
export const revokeWaiting = 'Revoking…';
export const revokeRefused = 'Requests with {name} are rejected within seconds. This cannot be undone.';
export const revokeAllRefused =
  'Requests with {name} and with its older secrets are rejected within seconds. This cannot be undone.';
export const revokeLastUsed = 'Last used: {time}, {requests} in the last 24 hours';
export const revokeRequests = (count: number) => (count === 1 ? '1 request' : `${counted(count)} requests`);
export const revokeReadingDone = 'requests of the last 24 hours';
export const revokeLooking = 'Looking for its webhook subscriptions…';
export const revokeUnknown = (why: string) => `Its webhook subscriptions cannot be read: ${why}`;
export const revokePause = (count: number) =>
  `Pause ${count === 1 ? 'the one that is sent events' : `the ${counted(count)} that are sent events`}`;
export const revokeLeavesNone = 'No webhook subscriptions use this key.';
export const revokeLeaves = (count: number) =>
  `It has made or changed ${count === 1 ? 'a webhook subscription, which stays' : 'webhook subscriptions, which stay'}. If the key has leaked, somebody else may get your events there:`;
export const secretCopy = (name: string) => `Copy the key “${name}” now`;
export const secretTrial = 'Try it in a terminal';
export const secretLost = (name: string) => `The secret of “${name}” was lost`;
export const secretAction = 'Rotate now';
export const secretLostAbout =
  'The key was created, but the response with its secret did not arrive, and no secret is kept to be shown again. Rotate the key to get a new secret. The lost one ends at once.';
export const fieldsNoName = 'Say what the key is for.';
export const fieldsNoScopes = 'Choose at least one.';
export const fieldsName = 'Name';
export const fieldsNameHint = 'Warehouse sync';
export const fieldsScoped = 'Selected permissions';
export const fieldsScopedAbout = '(recommended)';
export const fieldsFull = 'Full access';
export const fieldsFullAbout = 'including future permissions';
export const fieldsNever = 'Never';
export const fieldsOnDate = 'On a date…';
export const fieldsDate = 'Last day on which it works';
export const fieldsNoDate = 'Choose today or a later day.';
export const fieldsAfter = (days: number) => `After ${days} days`;
export const saved = (name: string) => `“${name}” is saved.`;
export const revoked = (name: string) => `“${name}” is revoked.`;
