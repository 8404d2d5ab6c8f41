import { useState } from 'preact/hooks';
import type { ConsoleKey, KeyWithSecret } from '../../../../lib/contract/console/keys.ts';
import { draft } from '../drafts.ts';
import { mayChange } from '../sessionState.ts';

/** Names the draft of a new key. */
export const createForm = 'key';

/** The dialog that is open. */
export type Opened =
  | { kind: 'create' }
  | { kind: 'rotate' | 'edit' | 'revoke'; key: ConsoleKey }
  | { kind: 'secret'; answer: KeyWithSecret };

/** The dialog of the draft, if it has one: a session or a page before this one ended while it was open. */
function drafted(keys: readonly ConsoleKey[]): Opened | undefined {
  const { form } = draft() ?? {};
  if (form === undefined || !mayChange()) return undefined;
  if (form === createForm) return { kind: 'create' };
  const [kind, id] = form.split(' ');
  const key = keys.find((one) => one.id === id);
  return key && (kind === 'rotate' || kind === 'edit' || kind === 'revoke') ? { kind, key } : undefined;
}

export const useDialog = (keys: readonly ConsoleKey[]) => useState(() => drafted(keys));
