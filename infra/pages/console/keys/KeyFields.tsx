import { useId } from 'preact/hooks';
import type { Scope } from '../../../../lib/resources/index.ts';
import { Box } from '../parts/Box.tsx';
import { Choice } from '../parts/Choice.tsx';
import { TextField } from '../parts/Field.tsx';
import { dayMs } from '../shownTimes.ts';
import * as texts from './keyTexts.ts';
import { allScopes, scopeWords } from './scopes.ts';

export interface KeyValues {
  name: string;
  access: 'scoped' | 'full';
  scopes: Scope[];
  /** Days from now, `never`, `same` as it was, or `date`; empty: what suits the access. */
  expires: string;
  /** The last day on which it works, as in 2026-12-31, when `expires` is `date`. */
  date: string;
}

/** An integration that stops without a word helps nobody, so a scoped key does not expire unless that is chosen. */
export const presetExpiry = ({ access }: KeyValues): string => (access === 'full' ? '90' : 'never');

/** The end of a day, in the time zone of the browser. */
const endOf = (date: string): Date => new Date(`${date}T23:59:59.999`);

export function expiryOf({ expires, date }: Pick<KeyValues, 'expires' | 'date'>): string | null {
  if (expires === 'never') return null;
  return (expires === 'date' ? endOf(date) : new Date(Date.now() + Number(expires) * dayMs)).toISOString();
}

/** Returns the problems that stop the form from being sent. */
export function problemsOf({ name, access, scopes, expires, date }: KeyValues): {
  name?: string;
  scopes?: string;
  date?: string;
} {
  return {
    ...(expires !== 'date' || endOf(date).getTime() > Date.now() ? {} : { date: texts.fieldsNoDate }),
    ...(name.trim() ? {} : { name: texts.fieldsNoName }),
    ...(access === 'full' || scopes.length > 0 ? {} : { scopes: texts.fieldsNoScopes }),
  };
}

interface Fields {
  values: KeyValues;
  problem?: string | undefined;
  change: (part: Partial<KeyValues>) => void;
}

export const NameField = ({ values, problem, change }: Fields) => (
  <TextField
    label={texts.fieldsName}
    name="name"
    problem={problem}
    value={values.name}
    maxLength={100}
    placeholder={texts.fieldsNameHint}
    autocomplete="off"
    change={(name) => change({ name })}
  />
);

export function AccessFields({ values, problem, change }: Fields) {
  const id = useId();
  const { access, scopes } = values;
  return (
    <fieldset aria-describedby={problem && id}>
      <legend>{texts.detailsAccess}</legend>
      <Box type="radio" group={id} checked={access === 'scoped'} change={() => change({ access: 'scoped' })}>
        {texts.fieldsScoped} <span class="quiet">{texts.fieldsScopedAbout}</span>
      </Box>
      {access === 'scoped' && (
        <div class="nested">
          {allScopes.map((scope) => (
            <Box
              key={scope}
              checked={scopes.includes(scope)}
              change={(checked) =>
                change({
                  scopes: allScopes.filter((one) => (one === scope ? checked : scopes.includes(one))),
                })
              }
            >
              {scopeWords[scope].words} <code>{scope}</code>
            </Box>
          ))}
        </div>
      )}
      <Box type="radio" group={id} checked={access === 'full'} change={() => change({ access: 'full' })}>
        {texts.fieldsFull} <span class="quiet">{texts.fieldsFullAbout}</span>
      </Box>
      <p id={id} class="problem" role="alert">
        {problem}
      </p>
    </fieldset>
  );
}

/** @param same what stays when nothing is chosen, for a key that exists */
export const ExpiryField = ({ values, same, problem, change }: Fields & { same?: string }) => (
  <>
    <Choice
      label={texts.detailsExpires}
      name="expires_at"
      options={[
        ...(same ? [['same', same] as const] : []),
        ['never', texts.fieldsNever],
        ...[30, 90, 365].map((days) => [String(days), texts.fieldsAfter(days)] as const),
        ['date', texts.fieldsOnDate],
      ]}
      chosen={values.expires || presetExpiry(values)}
      choose={(expires) => change({ expires })}
    />
    {values.expires === 'date' && (
      <TextField
        label={texts.fieldsDate}
        problem={problem}
        type="date"
        value={values.date}
        change={(date) => change({ date })}
      />
    )}
  </>
);
