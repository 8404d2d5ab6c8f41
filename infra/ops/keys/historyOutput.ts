import type { KeyState } from '../../../lib/activity/entry.ts';
import type { ActivityEntry } from '../../../lib/contract/console/activity.ts';
import type { Key } from '../../../lib/keys/key.ts';
import { columns } from '../columns.ts';

const scopesText = ({ scopes, full_access }: KeyState): string =>
  full_access ? 'full access' : scopes.join(' ');

const stateText = (state: KeyState): string =>
  [
    JSON.stringify(state.name),
    scopesText(state),
    `expires ${state.expires_at ?? 'never'}`,
    `secrets ${state.hints.map((hint) => `…${hint}`).join(' ')}`,
  ].join(', ');

/** The state that a change made. The state before it is that of the row below. */
const rowOf = ({ at, action, author, after }: ActivityEntry): string[] => [
  at,
  action,
  author.kind,
  author.name,
  after ? stateText(after) : '-',
];

export const historyText = (history: readonly ActivityEntry[]): string =>
  history.length === 0
    ? 'No change is recorded.'
    : columns([['TIME', 'CHANGE', 'KIND', 'AUTHOR', 'THE KEY AFTER IT'], ...history.map(rowOf)]);

/** A warning for changes without an entry. */
export const notRecorded = ({ id, revision }: Key, missing: number): string =>
  `The key ${id} was changed outside these commands: ${missing} of its ${revision} changes ${missing === 1 ? 'is' : 'are'} not recorded.`;
