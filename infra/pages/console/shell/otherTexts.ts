// All texts of a link that was used, or that is for somebody else, and of an address of no view.

export const refused = 'This link does not work any more';
export const refusedAbout =
  'A link opens this page once, within a minute. This one was used before, or is too old.';
export const signedIn = (name: string, account: string) =>
  `In this browser, ${name} is signed in for ${account}.`;
export const goOn = (name: string) => `Continue as ${name}`;
export const replacing = 'Open another session?';
export const replacingAbout = (name: string) =>
  `The link is for somebody else or for another account. Open it only if you have just asked for it: the session of ${name} then ends.`;
export const stay = (name: string) => `Stay as ${name}`;
export const open = 'Open the link';
export const unknown = 'Nothing is at this address';
export const unknownAbout = 'It may be cut off or mistyped.';
export const toKeys = 'To the API keys';
