import { useId } from 'preact/hooks';

interface Props<Name extends string> {
  legend: string;
  words: Record<Name, string>;
  chosen: Name;
  choose: (name: Name) => void;
}

/** One of a few, beside each other. */
export function Segments<Name extends string>({ legend, words, chosen, choose }: Props<Name>) {
  const group = useId();
  return (
    <fieldset>
      <legend class="unseen">{legend}</legend>
      <div class="segments">
        {Object.entries<string>(words).map(([name, shown]) => (
          <label key={name}>
            <input
              type="radio"
              name={group}
              checked={name === chosen}
              onChange={() => choose(name as Name)}
            />
            {shown}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
