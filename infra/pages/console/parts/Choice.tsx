import { Field } from './Field.tsx';

interface Props<Value extends string> {
  label: string;
  /** The field of the request that it fills. */
  name?: string;
  options: readonly (readonly [value: Value, words: string])[];
  chosen: Value;
  choose: (value: Value) => void;
}

/** One of a few values. */
export const Choice = <Value extends string>({ label, name, options, chosen, choose }: Props<Value>) => (
  <Field label={label} {...(name ? { name } : {})}>
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
