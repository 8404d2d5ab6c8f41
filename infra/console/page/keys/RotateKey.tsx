import type { ConsoleKey, KeyWithSecret } from '../../../../lib/contract/console/keys.ts';
import { useValues } from '../drafts.ts';
import { FormDialog } from '../parts/FormDialog.tsx';
import { OverlapField } from '../parts/OverlapField.tsx';
import { useSending } from '../sending.ts';
import { rotate } from './calls.ts';
import { SecretTable } from './SecretTable.tsx';

const weekSeconds = 7 * 24 * 3600;

interface Props {
  of: ConsoleKey;
  done: (answer: KeyWithSecret) => void;
  close: (changed: boolean) => void;
}

export function RotateKey({ of, done, close }: Props) {
  const form = `rotate ${of.id}`;
  const [{ seconds }, change] = useValues(form, () => ({ seconds: weekSeconds }));
  const { progress, send } = useSending(form, (overlap: number, once) => rotate(of.id, overlap, once), done);
  return (
    <FormDialog
      title={`Rotate “${of.name}”`}
      progress={progress}
      action="Rotate key"
      waiting="Rotating…"
      open="No answer came, so the key may have been rotated or not. “Try again” repeats the same request: it is rotated once."
      submit={() => send(seconds)}
      close={close}
    >
      <p>The key gets a new secret, which is shown once. Name, access and expiry stay.</p>
      <OverlapField seconds={seconds} change={(chosen) => change({ seconds: chosen })} />
      <SecretTable secrets={of.secrets} />
    </FormDialog>
  );
}
