import type { KeyWithSecret } from '../../../../lib/contract/console/keys.ts';
import { Copied } from '../parts/Copied.tsx';
import { FormDialog } from '../parts/FormDialog.tsx';
import { SecretDialog } from '../parts/SecretDialog.tsx';
import { useSending } from '../sending.ts';
import { liveSession } from '../sessionState.ts';
import { rotate } from './calls.ts';
import { curlOf } from './words.ts';

interface Props {
  answer: KeyWithSecret;
  /** Gets the answer with the secret of a rotation that followed a lost one. */
  done: (answer: KeyWithSecret) => void;
  close: () => void;
}

/** The new secret of a key, or the way to another one when the answer that had it was lost. */
export function NewSecret({ answer: { key, secret }, done, close }: Props) {
  if (secret === null) return <LostSecret id={key.id} name={key.name} done={done} close={close} />;
  return (
    <SecretDialog title={`Copy the key “${key.name}” now`} label="API key" secret={secret} close={close}>
      <Copied label="Try it in a terminal" text={curlOf(liveSession().api_url, key, secret)} />
    </SecretDialog>
  );
}

function LostSecret({ id, name, done, close }: { id: string; name: string } & Omit<Props, 'answer'>) {
  const { progress, send } = useSending(
    `lost ${id}`,
    (seconds: number, once) => rotate(id, seconds, once),
    done,
  );
  return (
    <FormDialog
      title={`The secret of “${name}” was lost`}
      progress={progress}
      action="Rotate now"
      waiting="Rotating…"
      open="No answer came. “Try again” repeats the same request."
      // The lost secret has never reached anybody, so nothing stops when it ends.
      submit={() => send(0)}
      close={close}
    >
      <p>
        The key exists, once. But the answer with its secret did not arrive, and no secret is kept to be shown
        again. Rotate the key to get a new secret. The lost one ends at once.
      </p>
    </FormDialog>
  );
}
