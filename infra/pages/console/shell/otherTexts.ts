// All texts of a link that was used, or that is for somebody else, and of an address of no view.

export const refused = 'This link has expired or was already used';
export const refusedAbout = 'A link opens this page once, within a minute.';
export const signedIn = (name: string, account: string) =>
  `In this browser, ${name} is signed in for ${account}.`;
export const goOn = (name: string) => `Continue as ${name}`;
export const replacing = 'Open another session?';
export const replacingAbout = (name: string) =>
  `This link is for a different user or account. Opening it signs out ${name}, so continue only if you have just requested it.`;
export const stay = (name: string) => `Stay as ${name}`;
export const open = 'Open the link';
export const unknown = 'Page not found';
export const unknownAbout = 'The address may be cut off or mistyped.';
export const toKeys = 'To the API keys';
