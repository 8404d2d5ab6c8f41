import { Field } from './Field.tsx';

interface Props<Value extends string> {
  label: string;
  /** The field of the request that it fills. */
  name?: string;
  options: readonly (readonly [value: Value, words: string])[];
  chosen: Value;
  choose: (value: Value) => void;
}

/** Options with one for any value first. One that is chosen and is not among them is there by its value. */
export const orAny = <Value extends string>(
  any: string,
  options: readonly (readonly [value: Value, words: string])[],
  chosen: Value | '' = '',
): (readonly [value: Value | '', words: string])[] => [
  ['', any],
  ...(chosen === '' || options.some(([value]) => value === chosen) ? [] : [[chosen, chosen] as const]),
  ...options,
];

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
