import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { forgetDraft } from '../../drafts.ts';
import type { Progress } from '../../sending.ts';
import { sessionState } from '../../sessionState.ts';
import { RefusedField } from '../Field.tsx';
import { Notice } from '../Notice.tsx';
import * as texts from '../partTexts.ts';
import { Dialog } from './Dialog.tsx';

export interface FormProps {
  title: ComponentChildren;
  progress: Progress;
  /** The name of the button that sends. */
  action: string;
  /** The button says it while the form waits. */
  waiting: string;
  danger?: boolean;
  /** Whether there is nothing to send. */
  isEmpty?: boolean;
  submit: () => void;
  /** @param changed whether something may have changed, so that what is shown must be read again */
  close: (changed: boolean) => void;
  /** Is shown in place of the server's words. */
  refusal?: ComponentChildren;
  children: ComponentChildren;
}

/** What the form of a thing gets. */
export interface FormOf<Thing, Answer> extends Pick<FormProps, 'close'> {
  of: Thing;
  done: (answer: Answer) => void;
}

/** Finds what the response says of a field. */
const refusedIn = (progress: Progress) => (name: string) =>
  progress.kind === 'refused'
    ? progress.problem.problems.find(({ field }) => field === name)?.message
    : undefined;

/** A dialog with a form that sends one request. What was sent is frozen until its answer is known. */
export function FormDialog({
  title,
  progress,
  action,
  waiting,
  danger,
  isEmpty,
  submit,
  close,
  refusal,
  children,
}: FormProps) {
  const { kind } = progress;
  const isOpen = useRef(false);
  isOpen.current = kind === 'open';
  // Back closes it as Cancel does. What waits for an answer is kept, and so is what somebody was typing when the session ended.
  useEffect(
    () => () => {
      if (!isOpen.current && sessionState.get().kind === 'live') forgetDraft();
    },
    [],
  );
  const form = useRef<HTMLFormElement>(null);
  // Where the person can mend it.
  const focusProblem = () =>
    form.current
      ?.querySelector<HTMLElement>('[aria-invalid=true], fieldset:has(> .problem:not(:empty)) input')
      ?.focus();
  useEffect(() => {
    if (kind === 'refused') focusProblem();
  }, [kind]);
  const cancel = () => {
    forgetDraft();
    close(kind === 'open');
  };
  const submitted = (event: Event) => {
    event.preventDefault();
    submit();
    // After the drawing that marks it.
    setTimeout(focusProblem);
  };
  return (
    <Dialog title={title} close={cancel} locked={kind === 'pending'}>
      <form ref={form} onSubmit={submitted} noValidate>
        <fieldset class="plain" disabled={kind === 'pending' || kind === 'open'}>
          <RefusedField.Provider value={refusedIn(progress)}>{children}</RefusedField.Provider>
        </fieldset>
        <div aria-live="polite">
          {kind === 'open' && <Notice tone="warn">{texts.mayBeDone}</Notice>}
          {kind === 'refused' && <Notice tone="bad">{refusal ?? progress.problem.message}</Notice>}
          {kind === 'pending' && <p class="unseen">{waiting}</p>}
        </div>
        <footer>
          <button type="button" onClick={cancel} disabled={kind === 'pending'}>
            {kind === 'open' ? texts.close : texts.cancel}
          </button>
          <button
            type="submit"
            class={danger ? 'danger' : 'primary'}
            aria-disabled={kind === 'pending'}
            disabled={isEmpty}
          >
            {kind === 'pending' ? waiting : kind === 'open' ? texts.tryAgain : action}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
