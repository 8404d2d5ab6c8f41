// All texts of what several views have.

export const loading = (what: string) => `Loading ${what}…`;
export const notRead = (what: string, why: string) => `The ${what} could not be read. ${why}`;
export const readBefore = ' What is shown was read before.';
export const refresh = 'Refresh';
export const tryAgain = 'Try again';
export const withoutQuery = 'Show it without what this address asks for';
export const missing = (what: string) => `There is no such ${what}`;
export const missingAbout =
  'This account has none with the id of this address. It may be of another account, or the address may be cut.';
export const copy = 'Copy';
export const copied = 'Copied';
export const copyByHand = 'Copy it by hand';
export const actionsFor = 'Actions for {name}';
export const actions = 'Actions';
export const key = 'Key';
export const never = 'Never';
