import type { ConsoleKey, KeyWithSecret } from '../../../../lib/contract/console/keys.ts';
import { useValues } from '../drafts.ts';
import { FormDialog } from '../parts/dialog/FormDialog.tsx';
import { OverlapField } from '../parts/dialog/OverlapField.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import { useSending } from '../sending.ts';
import { rotate } from './calls.ts';
import * as texts from './keyTexts.ts';
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
      title={<Sentence of={texts.rotate.title} name={<bdi>{of.name}</bdi>} />}
      progress={progress}
      words={texts.rotate}
      submit={() => send(seconds)}
      close={close}
    >
      <p>{texts.rotate.about}</p>
      <OverlapField seconds={seconds} change={(chosen) => change({ seconds: chosen })} />
      <SecretTable of={of} />
    </FormDialog>
  );
}
