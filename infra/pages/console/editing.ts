import { useState } from 'preact/hooks';
import { useValues } from './drafts.ts';
import * as texts from './parts/partTexts.ts';
import { type Change, saveVersion } from './saveVersion.ts';
import { useSending } from './sending.ts';

interface Edited<Thing, Values, Patch> {
  /** The thing as the page has read it. */
  of: Thing;
  valuesOf: (thing: Thing) => Values;
  /** Returns the changes of the form; a field that it leaves as it is stays out, so that another change of it stays. */
  patchOf: (seen: Thing, values: Values) => Patch;
  problemsOf: (values: Values) => object;
  write: (patch: Patch, version: number) => Promise<Thing>;
  read: () => Promise<Thing>;
  done: (changed: Thing) => void;
}

/**
 * Returns the state of a form that edits a thing, and refuses to overwrite a newer version of it.
 * @param name the name under which unsaved input is kept
 */
export function useEditing<Thing extends { version: number }, Values extends object, Patch extends object>(
  name: string,
  { of, valuesOf, patchOf, problemsOf, write, read, done }: Edited<Thing, Values, Patch>,
) {
  // A person changes what they saw when they began to type, also after a new session.
  const [draft, change] = useValues(name, () => ({ seen: of, values: valuesOf(of) }));
  const { seen, values } = draft;
  const [current, setCurrent] = useState(seen);
  const save = ({ patch, version }: Change<Patch>) =>
    saveVersion<Thing>(patch, { write: () => write(patch, version), read, found: setCurrent });
  const { progress, send } = useSending(name, save, done);
  const submit = () => {
    if (progress.kind === 'open' || Object.keys(problemsOf(values)).length === 0)
      send({ patch: patchOf(seen, values), version: current.version });
  };
  const isStale = progress.kind === 'refused' && progress.problem.status === 412;
  return {
    values,
    change: (part: Partial<Values>) => change({ values: { ...values, ...part } }),
    /** The newest version that is known: another one when somebody else has changed it meanwhile. */
    current,
    /** Whether the last try was refused because of a newer version. */
    isStale,
    /** The props of the form's dialog. */
    form: { progress, submit, action: isStale ? texts.saveAnyway : texts.save, waiting: texts.saving },
  };
}
