import operationNames from 'console:operations';
import { KeyChoice } from '../parts/KeyChoice.tsx';
import { Segments } from '../parts/Segments.tsx';
import type { Chosen } from './usageCalls.ts';
import * as texts from './usageTexts.ts';

interface Props {
  chosen: Chosen;
  change: (part: Partial<Chosen>) => void;
}

/** The range of time, the grouping, and one key or operation. */
export const UsageFilters = ({ chosen, change }: Props) => (
  <div class="filters">
    <Segments
      legend={texts.time}
      words={texts.range}
      chosen={chosen.range}
      choose={(range) => change({ range })}
    />
    <Segments legend={texts.groupings} words={texts.by} chosen={chosen.by} choose={(by) => change({ by })} />
    <KeyChoice chosen={chosen.key} choose={(key) => change({ key })} />
    {chosen.operation && (
      <button type="button" onClick={() => change({ operation: '' })}>
        {texts.only(operationNames[chosen.operation] ?? chosen.operation)}
      </button>
    )}
  </div>
);
