import type { ConsoleKey } from '../../../../lib/contract/console/keys.ts';
import { Choice } from '../parts/Choice.tsx';
import { Field } from '../parts/Field.tsx';
import { KeyChoice } from '../parts/KeyChoice.tsx';
import type { FailureFilter } from './calls.ts';

interface Props {
  filter: FailureFilter;
  change: (part: Partial<FailureFilter>) => void;
  keys: readonly ConsoleKey[];
}

const statuses = [
  ['', 'Any status'],
  ['4xx', '4xx: refused'],
  ['5xx', '5xx: failed on our side'],
] as const;

const times = [
  ['', '14 days'],
  ['1', '1 hour'],
  ['24', '24 hours'],
  ['168', '7 days'],
] as const;

/** Which failed requests to show: of one key, by status, since when; or the one with an id. */
export const FailureFilters = ({ filter, change, keys }: Props) => (
  <div class="filters">
    <Field label="Request id">
      {(described) => (
        <input
          {...described}
          type="search"
          placeholder="Paste one to find its request"
          value={filter.request_id}
          maxLength={128}
          onInput={({ currentTarget: { value }, inputType }) => {
            // What is typed is looked for when it is complete.
            if (value === '' || inputType === 'insertFromPaste') change({ request_id: value.trim() });
          }}
          onChange={({ currentTarget: { value } }) => change({ request_id: value.trim() })}
        />
      )}
    </Field>
    {!filter.request_id && (
      <>
        <KeyChoice
          any="All keys"
          keys={keys}
          chosen={filter.key_id}
          choose={(key_id) => change({ key_id })}
        />
        <Choice
          label="Status"
          options={statuses}
          chosen={filter.status_class}
          choose={(status_class) => change({ status_class })}
        />
        <Choice label="Last" options={times} chosen={filter.hours} choose={(hours) => change({ hours })} />
      </>
    )}
  </div>
);
