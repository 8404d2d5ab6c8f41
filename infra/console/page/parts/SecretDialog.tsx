import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Copied } from './Copied.tsx';
import { Dialog } from './Dialog.tsx';
import { Notice } from './Notice.tsx';

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
  return (
    <Dialog title={title} close={close} locked={!isCopied}>
      <Notice tone="warn">It is shown only this once. Store it where your program reads its secrets.</Notice>
      <Copied label={label} text={secret} onCopied={() => setCopied(true)} primary />
      {children}
      <footer>
        <button type="button" onClick={close}>
          I have stored it
        </button>
      </footer>
    </Dialog>
  );
}
