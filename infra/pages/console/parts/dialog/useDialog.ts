import { useState } from 'preact/hooks';
import { closeDialog, openDialog } from '../../addressHistory.ts';
import { route } from '../../route.ts';
import { mayChange } from '../../sessionState.ts';
import { useStore } from '../../store.ts';

/** The dialog of a view. The address has its name, which is that of its form, unless it shows a secret. */
export interface OpenDialog<Secret> {
  /** For example `rotate key_…`. */
  name: string | undefined;
  secret: Secret | undefined;
  open: (name: string) => void;
  show: (secret: Secret) => void;
  close: () => void;
}

export function useDialog<Secret = never>(): OpenDialog<Secret> {
  const [secret, setSecret] = useState<Secret>();
  const { query } = useStore(route);
  // One that is open stays when the right ends meanwhile: it says why it was refused.
  const [may] = useState(mayChange);
  const show = (next: Secret | undefined) => {
    setSecret(next as Secret);
    closeDialog();
  };
  return {
    name: may ? query.dialog : undefined,
    secret,
    open: openDialog,
    show,
    close: () => show(undefined),
  };
}
