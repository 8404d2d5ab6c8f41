import { useState } from 'preact/hooks';
import { sessionState } from './sessionState.ts';
import { keep, kept } from './storage.ts';

/** The text and choices in the one open form; never a secret. They outlive the session, for the same person and account. */
export interface Draft {
  /** Names the form and what it changes: `key` or `key key_…`. */
  form: string;
  /** The address of the view that has the form, below the page. */
  hash: string;
  values: object;
  /** A request that was sent and may have had its effect, to be repeated as it was. */
  sent?: { once: string; body: unknown } | undefined;
}

let owner = '';

/** The name of the draft of a person in an account; after the end of the session still of the same person. */
function name(): string {
  const state = sessionState.get();
  if (state.kind === 'live') owner = `console-draft ${state.session.account} ${state.session.actor.id}`;
  return owner;
}

export const draft = () => kept('sessionStorage', name()) as Draft | undefined;

export const draftOf = (form: string): Draft | undefined => {
  const found = draft();
  return found?.form === form ? found : undefined;
};

export const forgetDraft = (): void => keep('sessionStorage', name(), undefined);

/** Changes the draft of a form, or begins one. */
export const keepDraft = (form: string, change: Partial<Draft>): void =>
  keep('sessionStorage', name(), {
    ...(draftOf(form) ?? { form, values: {} }),
    hash: location.hash,
    ...change,
  });

/** The values of a form, which begin with those of its draft. */
export function useValues<Values extends object>(
  form: string,
  first: () => Values,
): [Values, (change: Partial<Values>) => void] {
  const [values, setValues] = useState<Values>(() => ({ ...first(), ...draftOf(form)?.values }));
  const change = (part: Partial<Values>) => {
    const next = { ...values, ...part };
    keepDraft(form, { values: next });
    setValues(next);
  };
  return [values, change];
}
