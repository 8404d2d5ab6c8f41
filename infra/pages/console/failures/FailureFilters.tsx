import type { ConsoleKey } from '../../../../lib/contract/console/keys.ts';
import { Choice } from '../parts/Choice.tsx';
import { Field } from '../parts/Field.tsx';
import { KeyChoice } from '../parts/KeyChoice.tsx';
import { atMinute } from '../times.ts';
import type { FailureFilter } from './calls.ts';
import { texts } from './words.ts';

interface Props {
  filter: FailureFilter;
  change: (part: Partial<FailureFilter>) => void;
  keys: readonly ConsoleKey[] | undefined;
}

const daysAgo = (days: number): string => {
  const day = new Date();
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() - days);
  return day.toISOString();
};

/** A day is in the address as its two ends: so it is the same one tomorrow, and in another time zone. */
const spans: Record<string, () => Pick<FailureFilter, 'since' | 'until'>> = {
  today: () => ({ since: daysAgo(0), until: daysAgo(-1) }),
  yesterday: () => ({ since: daysAgo(1), until: daysAgo(0) }),
};

function chosenTime({ hours, since, until }: FailureFilter): string {
  if (!since || !until) return hours;
  const known = Object.entries(spans).find(([, span]) => span().since === since && span().until === until);
  return known?.[0] ?? 'span';
}

/** Which failed requests to show: of one key, by status and time; or the one with an id. */
export function FailureFilters({ filter, change, keys }: Props) {
  const time = chosenTime(filter);
  const times = [
    ...texts.times,
    ...(time === 'span' ? [[time, texts.span(atMinute(filter.since), atMinute(filter.until))] as const] : []),
  ];
  const chooseTime = (chosen: string) =>
    change({
      ...(spans[chosen]?.() ?? { since: '', until: '' }),
      hours: chosen in spans ? '' : (chosen as FailureFilter['hours']),
      group: '',
    });
  return (
    <div class="filters">
      <Field label={texts.filters.request}>
        {(described) => (
          <input
            {...described}
            type="search"
            placeholder={texts.filters.requestHint}
            value={filter.request}
            maxLength={128}
            onInput={({ currentTarget: { value }, inputType }) => {
              // What is typed is looked for when it is complete.
              if (value === '' || inputType === 'insertFromPaste') change({ request: value.trim() });
            }}
            onChange={({ currentTarget: { value } }) => change({ request: value.trim() })}
          />
        )}
      </Field>
      {!filter.request && (
        <>
          <KeyChoice
            any={texts.filters.key}
            keys={keys}
            chosen={filter.key}
            choose={(key) => change({ key, group: '' })}
          />
          <Choice
            label={texts.filters.status}
            options={texts.statuses}
            chosen={filter.status}
            choose={(status) => change({ status, group: '' })}
          />
          <Choice label={texts.filters.time} options={times} chosen={time} choose={chooseTime} />
        </>
      )}
    </div>
  );
}
