import type { ComponentChildren } from 'preact';
import { useValues } from '../../drafts.ts';
import { useSending } from '../../sending.ts';
import { Choice } from '../Choice.tsx';
import * as texts from '../partTexts.ts';
import { FormDialog, type FormProps } from './FormDialog.tsx';

interface Props<Answer> extends Pick<FormProps, 'title' | 'action' | 'waiting' | 'close'> {
  /** The name of its draft. */
  form: string;
  about: ComponentChildren;
  /** For how many seconds the secrets before the new one work, unless a person chooses. */
  preset: number;
  rotate: (seconds: number, once: string) => Promise<Answer>;
  done: (answer: Answer) => void;
  children?: ComponentChildren;
}

/** The form for a new secret, and for when those before it end. */
export function RotateDialog<Answer>({
  form,
  about,
  preset,
  rotate,
  done,
  children,
  ...dialog
}: Props<Answer>) {
  const [{ seconds }, change] = useValues(form, () => ({ seconds: preset }));
  const { progress, send } = useSending(form, rotate, done);
  return (
    <FormDialog {...dialog} progress={progress} submit={() => send(seconds)}>
      <p>{about}</p>
      <Choice
        label={texts.overlap}
        options={texts.overlaps}
        chosen={String(seconds) as (typeof texts.overlaps)[number][0]}
        choose={(chosen) => change({ seconds: Number(chosen) })}
      />
      {seconds === 0 && <p class="note">{texts.overlapNow}</p>}
      {children}
    </FormDialog>
  );
}
