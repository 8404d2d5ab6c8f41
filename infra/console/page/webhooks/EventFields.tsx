import { catalogue, eventWords, type Subscribed } from './words.ts';

interface Props {
  chosen: Subscribed[];
  /** What all types are called. */
  every: string;
  problem: string | undefined;
  choose: (event_types: Subscribed[]) => void;
}

/** Types of events, one by one, all of a resource, or all. */
export function EventFields({ chosen, every, problem, choose }: Props) {
  const box = (type: Subscribed, words: string, isImplied = false) => (
    <label key={type} class="choice">
      <input
        type="checkbox"
        checked={isImplied || chosen.includes(type)}
        disabled={isImplied}
        onChange={() =>
          choose(chosen.includes(type) ? chosen.filter((one) => one !== type) : [...chosen, type])
        }
      />
      <span>
        {words} {type !== '*' && <code>{type}</code>}
      </span>
    </label>
  );
  const hasAll = chosen.includes('*');
  return (
    <fieldset>
      <legend>Events</legend>
      {box('*', every)}
      {catalogue.map(({ words, all, types }) => (
        <details key={all} open={types.some((type) => chosen.includes(type)) || chosen.includes(all)}>
          <summary>{words}</summary>
          {box(all, `All of ${words.toLowerCase()}`, hasAll)}
          {types.map((type) => box(type, eventWords(type), hasAll || chosen.includes(all)))}
        </details>
      ))}
      <p class="problem" role="alert">
        {problem}
      </p>
    </fieldset>
  );
}
