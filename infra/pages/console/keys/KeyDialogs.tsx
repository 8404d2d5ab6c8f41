import type { ConsoleKey, KeyWithSecret } from '../../../../lib/contract/console/consoleKeys.ts';
import type { OpenDialog } from '../parts/dialog/useDialog.ts';
import { toast } from '../parts/Toasts.tsx';
import { CreateKey } from './CreateKey.tsx';
import { EditKey } from './EditKey.tsx';
import * as texts from './keyTexts.ts';
import { createForm } from './keyWords.ts';
import { NewSecret } from './NewSecret.tsx';
import { RevokeKey } from './RevokeKey.tsx';
import { RotateKey } from './RotateKey.tsx';

interface Props {
  dialog: OpenDialog<KeyWithSecret>;
  keys: readonly ConsoleKey[];
  /** Reloads the data of the view. */
  again: () => void;
}

/** The one dialog that is open. */
export function KeyDialogs({ dialog: { name = '', secret, show, close }, keys, again }: Props) {
  const end = (text?: string) => {
    close();
    if (text) toast(text);
    again();
  };
  const closed = (changed: boolean) => (changed ? end() : close());
  // The list is read again only after the secret is closed: the end of the session would take it away.
  if (secret) return <NewSecret key={secret.secret} answer={secret} done={show} close={() => end()} />;
  if (name === createForm) return <CreateKey done={show} close={closed} />;
  const [kind, id] = name.split(' ');
  const of = keys.find((key) => key.id === id);
  if (!of) return null;
  if (kind === 'rotate') return <RotateKey of={of} done={show} close={closed} />;
  if (kind === 'edit') return <EditKey of={of} done={(key) => end(texts.saved(key.name))} close={closed} />;
  if (kind === 'revoke')
    return <RevokeKey of={of} done={(key) => end(texts.revoked(key.name))} close={closed} />;
  return null;
}
