import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Notice } from '../Notice.tsx';
import * as texts from '../partTexts.ts';
import { Copied } from './Copied.tsx';
import { Dialog } from './Dialog.tsx';

interface Props {
  title: string;
  label: string;
  secret: string;
  close: () => void;
  children: ComponentChildren;
}

/** Shows a secret once. Until it was copied, only the button that says so closes it. */
export function SecretDialog({ title, label, secret, close, children }: Props) {
  const [isCopied, setCopied] = useState(false);
  // A reload loses the secret, so the browser asks first.
  useEffect(() => {
    if (isCopied) return;
    const ask = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isCopied]);
  return (
    <Dialog title={title} close={close} locked={!isCopied}>
      <Notice tone="warn">{texts.once}</Notice>
      <Copied label={label} text={secret} onCopied={() => setCopied(true)} primary={!isCopied} />
      {children}
      <footer>
        <button type="button" class={isCopied ? 'primary' : ''} onClick={close}>
          {texts.stored}
        </button>
      </footer>
    </Dialog>
  );
}
