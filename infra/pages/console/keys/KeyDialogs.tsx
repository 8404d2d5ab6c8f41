import type { KeyWithSecret } from '../../../../lib/contract/console/keys.ts';
import { toast } from '../parts/Toasts.tsx';
import { CreateKey } from './CreateKey.tsx';
import { texts } from './dialogTexts.ts';
import { EditKey } from './EditKey.tsx';
import { NewSecret } from './NewSecret.tsx';
import type { Opened } from './opened.ts';
import { RevokeKey } from './RevokeKey.tsx';
import { RotateKey } from './RotateKey.tsx';

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
  if (kind === 'edit') return <EditKey of={of} done={({ name }) => end(texts.saved(name))} close={close} />;
  return <RevokeKey of={of} done={({ name }) => end(texts.revoked(name))} close={close} />;
}
