import type { ConsoleKey, KeyPatch } from '../../../../lib/contract/console/keys.ts';
import { useEditing } from '../editing.ts';
import { FormDialog } from '../parts/dialog/FormDialog.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import { onDay } from '../times.ts';
import { readKey, update } from './calls.ts';
import { AccessFields, ExpiryField, expiryOf, type KeyValues, NameField, problemsOf } from './fields.tsx';
import * as texts from './keyTexts.ts';
import { allScopes, scopeWords } from './scopes.ts';

const valuesOf = ({ name, full_access, scopes }: ConsoleKey): KeyValues => ({
  name,
  access: full_access ? 'full' : 'scoped',
  scopes: allScopes.filter((scope) => scopes.includes(scope)),
  expires: 'same',
});

/** Returns the changes of the form; a field that it leaves as it is stays out, so that another change of it stays. */
function patchOf(key: ConsoleKey, { name, access, scopes, expires }: KeyValues): KeyPatch {
  const isSame = access === 'full' ? key.full_access : scopes.join() === valuesOf(key).scopes.join();
  return {
    ...(name.trim() === key.name ? {} : { name: name.trim() }),
    ...(isSame ? {} : access === 'full' ? { full_access: true as const } : { scopes }),
    ...(expires === 'same' ? {} : { expires_at: expiryOf(expires) }),
  };
}

interface Props {
  of: ConsoleKey;
  done: (key: ConsoleKey) => void;
  close: (changed: boolean) => void;
}

export function EditKey({ of, done, close }: Props) {
  const { values, change, current, progress, submit, isStale } = useEditing(`edit ${of.id}`, {
    of,
    valuesOf,
    patchOf,
    problemsOf,
    write: (patch, version) => update(of.id, patch, version),
    read: () => readKey(of.id),
    done,
  });
  const problems = problemsOf(values);
  return (
    <FormDialog
      title={<Sentence of={texts.edit.title} name={<bdi>{of.name}</bdi>} />}
      progress={progress}
      words={texts.edit}
      {...(isStale ? { action: texts.edit.anyway } : {})}
      submit={submit}
      close={close}
      refusal={isStale && <Newer current={current} />}
    >
      <NameField value={values.name} problem={problems.name} change={change} />
      <AccessFields values={values} problem={problems.scopes} change={change} />
      <ExpiryField
        values={values}
        same={of.expires_at === null ? texts.edit.sameNever : texts.edit.same(onDay(of.expires_at))}
        change={change}
      />
    </FormDialog>
  );
}

const Newer = ({ current }: { current: ConsoleKey }) => {
  const scopes = current.scopes.map((scope) => scopeWords[scope].words.toLowerCase()).join(', ');
  const access = current.full_access ? texts.edit.newerFull : texts.edit.newerScopes(scopes);
  const expiry =
    current.expires_at === null ? texts.edit.newerNever : texts.edit.newerExpires(onDay(current.expires_at));
  return (
    <>
      <p>{texts.edit.newer(current.name, access, expiry)}</p>
      <p>{texts.edit.kept}</p>
    </>
  );
};
