import { useState } from 'preact/hooks';
import type { ConsoleKey, KeyWithSecret } from '../../../../lib/contract/console/keys.ts';
import { draft } from '../drafts.ts';
import { toast } from '../parts/Toasts.tsx';
import { mayChange } from '../sessionState.ts';
import { CreateKey, createForm } from './CreateKey.tsx';
import { EditKey } from './EditKey.tsx';
import { NewSecret } from './NewSecret.tsx';
import { RevokeKey } from './RevokeKey.tsx';
import { RotateKey } from './RotateKey.tsx';

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

interface Props {
  opened: Opened | undefined;
  open: (next: Opened | undefined) => void;
  /** Reads again what is shown. */
  again: () => void;
}

/** The one dialog that is open. */
export function KeyDialogs({ opened, open, again }: Props) {
  if (!opened) return null;
  const end = (text?: string) => {
    open(undefined);
    if (text) toast(text);
    again();
  };
  const close = (changed: boolean) => (changed ? end() : open(undefined));
  // What is shown is read again only after the secret is closed: the end of the session would take it away.
  const done = (answer: KeyWithSecret) => open({ kind: 'secret', answer });
  if (opened.kind === 'create') return <CreateKey done={done} close={close} />;
  if (opened.kind === 'secret')
    return <NewSecret key={opened.answer.secret} answer={opened.answer} done={done} close={() => end()} />;
  const { kind, key: of } = opened;
  if (kind === 'rotate') return <RotateKey of={of} done={done} close={close} />;
  if (kind === 'edit')
    return <EditKey of={of} done={({ name }) => end(`“${name}” is saved.`)} close={close} />;
  return <RevokeKey of={of} done={({ name }) => end(`“${name}” is revoked.`)} close={close} />;
}
