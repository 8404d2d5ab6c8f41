import { useState } from 'preact/hooks';
import type { ConsoleKey, KeyWithSecret } from '../../../../lib/contract/console/keys.ts';
import { closeDialog, openDialog, route } from '../route.ts';
import { mayChange } from '../sessionState.ts';
import { useStore } from '../store.ts';

/** Names the draft of a new key, and its dialog in the address. */
export const createForm = 'key';

/** The dialog that is open. */
export type Opened =
  | { kind: 'create' }
  | { kind: 'rotate' | 'edit' | 'revoke'; key: ConsoleKey }
  | { kind: 'secret'; answer: KeyWithSecret };

/** The dialog of an address, if it has one that can be. */
function named(form: string | undefined, keys: readonly ConsoleKey[]): Opened | undefined {
  if (form === undefined) return undefined;
  if (form === createForm) return { kind: 'create' };
  const [kind, id] = form.split(' ');
  const key = keys.find((one) => one.id === id);
  return key && (kind === 'rotate' || kind === 'edit' || kind === 'revoke') ? { kind, key } : undefined;
}

/** The open dialog, which is in the address unless it shows a secret. */
export function useDialog(
  keys: readonly ConsoleKey[],
): [opened: Opened | undefined, open: (next: Opened | undefined) => void] {
  const [secret, show] = useState<Opened>();
  const { query } = useStore(route);
  // One that is open stays when the right ends meanwhile: it says why it was refused.
  const [may] = useState(mayChange);
  const open = (next: Opened | undefined) => {
    if (next === undefined || next.kind === 'secret') {
      show(next);
      closeDialog();
    } else openDialog(next.kind === 'create' ? createForm : `${next.kind} ${next.key.id}`);
  };
  return [secret ?? (may ? named(query.dialog, keys) : undefined), open];
}
