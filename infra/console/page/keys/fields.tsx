import { useId } from 'preact/hooks';
import type { Scope } from '../../../../lib/resources/operation.ts';
import { Field } from '../parts/Field.tsx';
import { dayMs } from '../times.ts';
import { allScopes, scopeWords } from './words.ts';

/** What the form of a key holds. */
export interface KeyValues {
  name: string;
  access: 'scoped' | 'full';
  scopes: Scope[];
  /** Days from now, `never`, or `same` as it was; empty: what suits the access. */
  expires: string;
}

export type Change = (part: Partial<KeyValues>) => void;

/** An integration that stops without a word helps nobody, so a scoped key does not expire unless that is chosen. */
export const presetExpiry = ({ access }: KeyValues): string => (access === 'full' ? '90' : 'never');

export const expiryOf = (days: string): string | null =>
  days === 'never' ? null : new Date(Date.now() + Number(days) * dayMs).toISOString();

/** What must be corrected before the form is sent. */
export function problemsOf({ name, access, scopes }: KeyValues): { name?: string; scopes?: string } {
  return {
    ...(name.trim() ? {} : { name: 'Say what the key is for.' }),
    ...(access === 'full' || scopes.length > 0 ? {} : { scopes: 'Choose at least one.' }),
  };
}

export const NameField = ({
  value,
  problem,
  change,
}: {
  value: string;
  problem?: string | undefined;
  change: Change;
}) => (
  <Field label="Name" problem={problem}>
    {(described) => (
      <input
        {...described}
        value={value}
        maxLength={100}
        placeholder="Warehouse sync"
        autocomplete="off"
        onInput={(event) => change({ name: event.currentTarget.value })}
      />
    )}
  </Field>
);

export function AccessFields({
  values,
  problem,
  change,
}: {
  values: KeyValues;
  problem?: string | undefined;
  change: Change;
}) {
  const id = useId();
  const { access, scopes } = values;
  return (
    <fieldset aria-describedby={problem && id}>
      <legend>Access</legend>
      <label class="choice">
        <input
          type="radio"
          name={id}
          checked={access === 'scoped'}
          onChange={() => change({ access: 'scoped' })}
        />
        <span>
          Only what is chosen <span class="quiet">(recommended)</span>
        </span>
      </label>
      {access === 'scoped' && (
        <div class="nested">
          {allScopes.map((scope) => (
            <label key={scope} class="choice">
              <input
                type="checkbox"
                checked={scopes.includes(scope)}
                onChange={({ currentTarget: { checked } }) =>
                  change({
                    scopes: allScopes.filter((one) => (one === scope ? checked : scopes.includes(one))),
                  })
                }
              />
              <span>
                {scopeWords[scope].words} <code>{scope}</code>
              </span>
            </label>
          ))}
        </div>
      )}
      <label class="choice">
        <input
          type="radio"
          name={id}
          checked={access === 'full'}
          onChange={() => change({ access: 'full' })}
        />
        <span>
          Full access <span class="quiet">to everything, also to what is added later</span>
        </span>
      </label>
      <p id={id} class="problem" role="alert">
        {problem}
      </p>
    </fieldset>
  );
}

/** @param same what stays when nothing is chosen, for a key that exists */
export const ExpiryField = ({
  values,
  same,
  change,
}: {
  values: KeyValues;
  same?: string;
  change: Change;
}) => (
  <Field label="Expires">
    {(described) => (
      <select
        {...described}
        value={values.expires || presetExpiry(values)}
        onChange={(event) => change({ expires: event.currentTarget.value })}
      >
        {same && <option value="same">{same}</option>}
        <option value="never">Never</option>
        {[30, 90, 365].map((days) => (
          <option key={days} value={String(days)}>
            After {days} days
          </option>
        ))}
      </select>
    )}
  </Field>
);
