import { Field } from './Field.tsx';

interface Props<Value extends string> {
  label: string;
  options: readonly (readonly [value: Value, words: string])[];
  chosen: Value;
  choose: (value: Value) => void;
}

/** One of a few values. */
export const Choice = <Value extends string>({ label, options, chosen, choose }: Props<Value>) => (
  <Field label={label}>
    {(described) => (
      <select
        {...described}
        value={chosen}
        onChange={({ currentTarget: { value } }) => choose(value as Value)}
      >
        {options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    )}
  </Field>
);
