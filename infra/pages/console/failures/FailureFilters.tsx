import { Choice } from '../parts/Choice.tsx';
import { KeyChoice } from '../parts/KeyChoice.tsx';
import { Segments } from '../parts/Segments.tsx';
import { atMinute } from '../shownTimes.ts';
import type { FailureFilter } from './failureCalls.ts';
import * as texts from './failureTexts.ts';

interface Props {
  filter: FailureFilter;
  change: (part: Partial<FailureFilter>) => void;
}

/** Which failed requests to show: of one key, by status and time. */
export function FailureFilters({ filter, change }: Props) {
  const { since, until } = filter;
  // A bar of the usage leads here.
  const span = since && until ? 'span' : undefined;
  const times = [
    ...texts.times,
    ...(span ? [[span, texts.span(atMinute(since), atMinute(until))] as const] : []),
  ];
  return (
    <div class="filters">
      <Segments
        legend={texts.view}
        words={{ '': texts.views.groups, requests: texts.views.requests }}
        chosen={filter.view}
        choose={(view) => change({ view })}
      />
      <KeyChoice chosen={filter.key} choose={(key) => change({ key, group: '' })} />
      <Choice
        label={texts.filtersStatus}
        options={texts.statuses}
        chosen={filter.status}
        choose={(status) => change({ status, group: '' })}
      />
      <Choice
        label={texts.filtersTime}
        options={times}
        chosen={span ?? filter.hours}
        choose={(hours) => hours !== 'span' && change({ since: '', until: '', hours, group: '' })}
      />
    </div>
  );
}
