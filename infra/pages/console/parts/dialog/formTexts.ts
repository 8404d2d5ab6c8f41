// All texts of what several dialogs have.

export const cancel = 'Cancel';
export const close = 'Close';
export const tryAgain = 'Try again';
export const confirm = (name: string) => `Type ${name} to confirm`;
export const notConfirmed = (name: string) => `Type ${name} to confirm.`;
export const copyNotAllowed = 'The browser does not allow it. Select the text and copy it by hand.';
export const copy = 'Copy';
export const copied = 'Copied';
export const showOlder = 'Show older';
export const loading = 'Loading…';
export const overlap = 'Previous secret ends';
export const overlaps = [
  ['0', 'Now'],
  ['3600', 'In 1 hour'],
  ['86400', 'In 24 hours'],
  ['604800', 'In 7 days'],
] as const;
export const overlapNow = 'Programs that still use it are refused from now on.';
export const once = 'You won’t be able to see it again. Store it where your program reads its secrets.';
export const stored = 'Done';
