import type { ConsoleKey, KeyPatch } from '../../../../lib/contract/console/consoleKeys.ts';
import { useEditing } from '../editing.ts';
import { FormDialog, type FormOf } from '../parts/dialog/FormDialog.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import { route } from '../route.ts';
import { onDay } from '../shownTimes.ts';
import { AccessFields, ExpiryField, expiryOf, type KeyValues, NameField, problemsOf } from './KeyFields.tsx';
import { readKey, update } from './keyCalls.ts';
import * as texts from './keyTexts.ts';
import { allScopes } from './scopes.ts';

/** @param added a scope that is ticked, too */
const valuesOf = ({ name, full_access, scopes }: ConsoleKey, added?: string): KeyValues => ({
  name,
  access: full_access ? 'full' : 'scoped',
  scopes: allScopes.filter((scope) => scopes.includes(scope) || scope === added),
  expires: 'same',
  date: '',
});

/** Returns the changes of the form; a field that it leaves as it is stays out, so that another change of it stays. */
function patchOf(key: ConsoleKey, { name, access, scopes, expires, date }: KeyValues): KeyPatch {
  const isSame = access === 'full' ? key.full_access : scopes.join() === valuesOf(key).scopes.join();
  return {
    ...(name.trim() === key.name ? {} : { name: name.trim() }),
    ...(isSame ? {} : access === 'full' ? { full_access: true as const } : { scopes }),
    ...(expires === 'same' ? {} : { expires_at: expiryOf({ expires, date }) }),
  };
}

export function EditKey({ of, done, close }: FormOf<ConsoleKey, ConsoleKey>) {
  // Advice about a failed request leads here with the scope that the key lacks.
  const { scope } = route.get().query;
  const { values, change, current, isStale, form } = useEditing(`edit ${of.id}`, {
    of,
    valuesOf: (key) => valuesOf(key, scope),
    patchOf,
    problemsOf,
    write: (patch, version) => update(of.id, patch, version),
    read: () => readKey(of.id),
    done,
  });
  const problems = problemsOf(values);
  return (
    <FormDialog
      title={<Sentence of={texts.editTitle} name={<bdi>{of.name}</bdi>} />}
      {...form}
      close={close}
      refusal={isStale && texts.editNewer(current.name)}
    >
      <NameField values={values} problem={problems.name} change={change} />
      <AccessFields values={values} problem={problems.scopes} change={change} />
      <ExpiryField
        values={values}
        problem={problems.date}
        same={of.expires_at === null ? texts.editSameNever : texts.editSame(onDay(of.expires_at))}
        change={change}
      />
    </FormDialog>
  );
}
