import { useState } from 'preact/hooks';
import type { KeyDraft, KeyWithSecret } from '../../../../lib/contract/console/consoleKeys.ts';
import { useValues } from '../drafts.ts';
import { FormDialog } from '../parts/dialog/FormDialog.tsx';
import { useSending } from '../sending.ts';
import {
  AccessFields,
  ExpiryField,
  expiryOf,
  type KeyValues,
  NameField,
  presetExpiry,
  problemsOf,
} from './KeyFields.tsx';
import { create } from './keyCalls.ts';
import * as texts from './keyTexts.ts';
import { createForm } from './keyWords.ts';

const empty = (): KeyValues => ({ name: '', access: 'scoped', scopes: [], expires: '', date: '' });

const draftOf = (values: KeyValues): KeyDraft => ({
  name: values.name.trim(),
  ...(values.access === 'full' ? { full_access: true } : { scopes: values.scopes }),
  expires_at: expiryOf({ ...values, expires: values.expires || presetExpiry(values) }),
});

interface Props {
  /** Gets the key and its secret, which is `null` when the answer that had it was lost. */
  done: (answer: KeyWithSecret) => void;
  close: (changed: boolean) => void;
}

export function CreateKey({ done, close }: Props) {
  const [values, change] = useValues(createForm, empty);
  const [wasSubmitted, setSubmitted] = useState(false);
  const { progress, send } = useSending(createForm, create, done);
  const problems = problemsOf(values);
  const submit = () => {
    setSubmitted(true);
    if (progress.kind === 'open' || Object.keys(problems).length === 0) send(draftOf(values));
  };
  const { name, scopes, date } = wasSubmitted ? problems : {};
  return (
    <FormDialog
      title={texts.createTitle}
      progress={progress}
      action={texts.createAction}
      waiting={texts.createWaiting}
      submit={submit}
      close={close}
    >
      <NameField values={values} problem={name} change={change} />
      <AccessFields values={values} problem={scopes} change={change} />
      <ExpiryField values={values} problem={date} change={change} />
    </FormDialog>
  );
}
