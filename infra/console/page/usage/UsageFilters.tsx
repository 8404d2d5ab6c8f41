import { useId } from 'preact/hooks';
import type { ConsoleKey } from '../../../../lib/contract/console/keys.ts';
import { KeyChoice } from '../parts/KeyChoice.tsx';
import type { Chosen } from './calls.ts';
import { type RangeName, ranges } from './range.ts';

const groupings: Record<Chosen['group_by'], string> = {
  status: 'By status',
  key: 'By key',
  operation: 'By operation',
};

interface Props {
  chosen: Chosen;
  change: (part: Partial<Chosen>) => void;
  keys: readonly ConsoleKey[];
}

/** What of the usage to show: of which time, by what, and of one key or operation. */
export const UsageFilters = ({ chosen, change, keys }: Props) => (
  <div class="filters">
    <Pills
      legend="Time"
      words={Object.fromEntries(Object.entries(ranges).map(([name, { words }]) => [name, words]))}
      chosen={chosen.range}
      choose={(range) => change({ range: range as RangeName })}
    />
    <Pills
      legend="Grouped"
      words={groupings}
      chosen={chosen.group_by}
      choose={(group_by) => change({ group_by: group_by as Chosen['group_by'] })}
    />
    <KeyChoice any="All keys" keys={keys} chosen={chosen.key_id} choose={(key_id) => change({ key_id })} />
    {chosen.operation && (
      <button type="button" onClick={() => change({ operation: '' })}>
        Only {chosen.operation}: show all
      </button>
    )}
  </div>
);

interface PillsProps {
  legend: string;
  words: Record<string, string>;
  chosen: string;
  choose: (name: string) => void;
}

function Pills({ legend, words, chosen, choose }: PillsProps) {
  const group = useId();
  return (
    <fieldset>
      <legend class="unseen">{legend}</legend>
      <div class="row">
        {Object.entries(words).map(([name, shown]) => (
          <label key={name} class="pill">
            <input type="radio" name={group} checked={name === chosen} onChange={() => choose(name)} />
            {shown}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
