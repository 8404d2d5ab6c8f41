// All texts of what several views and dialogs have.

export const loading = (what = '') => `Loading${what && ` ${what}`}…`;
export const notRead = (what: string, why: string) => `The ${what} could not be read. ${why}`;
export const readBefore = ' What is shown was read before.';
export const refresh = 'Refresh';
export const clearFilters = 'Clear filters';
export const tryAgain = 'Try again';
export const noAnswer = 'No response received. Try again.';
/** Of a form, whose request has one effect however often it is sent. */
export const mayBeDone =
  'No response received, so this may or may not have been done. “Try again” repeats the same request: it is done once.';
export const withoutQuery = 'Show it without the filters in this address';
export const missing = (what: string) => `There is no such ${what}`;
export const missingAbout = (id = '') => `This account has none with the ID ${id}.`;
export const copy = 'Copy';
export const copied = 'Copied';
export const copyByHand = 'Copy it by hand';
export const actionsFor = 'Actions for {name}';
export const actions = 'Actions';
export const key = 'Key';
export const allKeys = 'All keys';
export const never = 'Never';
export const cancel = 'Cancel';
export const save = 'Save';
export const saveAnyway = 'Save anyway';
export const saving = 'Saving…';
export const close = 'Close';
export const confirm = 'Type {name} to confirm';
export const notConfirmed = (name: string) => `Type ${name} to confirm.`;
export const copyNotAllowed = 'The browser does not allow it. Select the text and copy it by hand.';
export const showOlder = 'Show older';
export const overlap = 'Previous secret ends';
export const overlaps = [
  ['0', 'Now'],
  ['3600', 'In 1 hour'],
  ['86400', 'In 24 hours'],
  ['604800', 'In 7 days'],
] as const;
export const overlapNow = 'Requests with it are rejected from now on.';
export const once = 'You won’t be able to see it again. Store it where your program reads its secrets.';
export const stored = 'Done';
/** Time ranges that end now, as [hours, label]; listed after the one for everything that is kept. */
export const spans = [
  ['1', 'Last hour'],
  ['24', 'Last 24 hours'],
  ['168', 'Last 7 days'],
] as const;
export type Hours = '' | (typeof spans)[number][0];
