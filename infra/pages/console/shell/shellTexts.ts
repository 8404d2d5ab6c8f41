import type { Route } from '../route.ts';

// All texts around the views, and of the page without a session.

export const settings = 'Settings';
export const integrations = 'Integrations';
export const who = '{account} · {actor}';
export const readOnly = 'read-only';
export const back = (product: string) => `Back to ${product}`;
export const documentation = 'Documentation';
export const findLabel = 'Find by ID';
export const findHint = 'ID: con_…, evt_…, X-Request-Id';
export const findUnknown =
  'This is not an ID. Paste all of it, as in con_…, evt_…, dlv_… or an X-Request-Id.';
export const signOut = 'Sign out';
export const stillSignedIn = (why: string) => `You are still signed in. ${why}`;
export const timesIn = (zone: string) => `Times are in ${zone}.`;
export const suspended = 'The operator of this API has suspended this account.';
export const suspendedAbout =
  'API requests from this account are rejected, and nothing is sent to its webhooks. You can still view its API keys and its activity. To lift the suspension, contact the operator.';
export const signingIn = 'Signing you in…';
export const noConnection = 'No connection';
export const tryAgain = 'Try again';
export const ended = {
  over: 'Your session has ended',
  signedOut: 'You are signed out',
  none: 'Sign in to see this page',
};
export const endedAbout = {
  over: 'A session ends after some time without a click, or when the app that opened this page ends it. This tab keeps what you have typed, except for secrets.',
  none: 'This page is for users of an account, and this browser has no session.',
};
export const openFirst = (product: string) =>
  `Open Settings › Integrations in ${product}, in this browser, and then come back to this tab.`;
export const signInFirst = 'Sign in';
export const framed = 'This page is inside another one, where your browser may not keep a session: {way}.';
export const framedWay = 'open it in a new window';
export const openAgain = (product: string) => `Open Settings › Integrations in ${product} again.`;
export const signIn = 'Sign in again';
export const otherTab = 'Check again';

export const tabs: readonly [Route['tab'], string][] = [
  ['keys', 'API keys'],
  ['usage', 'Usage'],
  ['failed-requests', 'Failed requests'],
  ['webhooks', 'Webhooks'],
  ['activity', 'Activity'],
];
