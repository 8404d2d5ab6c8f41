import operationNames from 'console:operations';
import { useMemo, useRef } from 'preact/hooks';
import type { UsageAnswer } from '../../../../lib/contract/console/consoleUsage.ts';
import { together, useLoading } from '../loading.ts';
import { timeZone } from '../locale.ts';
import { Empty } from '../parts/Empty.tsx';
import { Heading } from '../parts/Heading.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { RefreshButton } from '../parts/RefreshButton.tsx';
import { readKeys } from '../readKeys.ts';
import { hrefOf } from '../route.ts';
import { isOpen } from '../sessionState.ts';
import { dayMs } from '../shownTimes.ts';
import { useChosen } from '../useChosen.ts';
import { Chart } from './Chart.tsx';
import { briefly, ranges, spanning } from './chosenRange.ts';
import { Figures } from './Figures.tsx';
import { seriesOf } from './series.ts';
import { NumberTable, TotalTable } from './tables.tsx';
import { UsageFilters } from './UsageFilters.tsx';
import { type Chosen, firstChosen, useUsage } from './usageCalls.ts';
import * as texts from './usageTexts.ts';

export function UsageTab() {
  const [chosen, change] = useChosen<Chosen>(firstChosen, {
    range: Object.keys(ranges),
    by: ['status', 'key', 'operation'],
    operation: ['', ...Object.keys(operationNames)],
  });
  const byStatus: Chosen = { ...chosen, by: 'status' };
  const [answer, now, before] = [useUsage(chosen), useUsage(byStatus), useUsage(byStatus, 1)];
  const last = useRef<Omit<ShownProps, 'change'>>(null);
  const isKnown = Boolean(answer.data && now.data && before.data !== undefined);
  if (answer.data && now.data && before.data !== undefined)
    last.current = { chosen, answer: answer.data, now: now.data, before: before.data };
  const { data: _, ...all } = together(answer, now, before);
  // What was chosen before stays until the rest is there.
  const loading = last.current ? { ...all, data: last.current } : all;
  return (
    <>
      <Heading title={texts.title} about={texts.about}>
        <RefreshButton isReading={loading.isReading} again={loading.again} />
      </Heading>
      <UsageFilters chosen={chosen} change={change} />
      <Loaded loading={loading} what={texts.reading}>
        {(shown) => (
          <div class={isKnown ? '' : 'old'}>
            <Shown {...shown} change={change} />
          </div>
        )}
      </Loaded>
    </>
  );
}

const failuresMs = 14 * dayMs;

interface ShownProps {
  answer: UsageAnswer;
  now: UsageAnswer;
  before: UsageAnswer | null;
  chosen: Chosen;
  change: (part: Partial<Chosen>) => void;
}

function Shown({ answer, now, before, chosen, change }: ShownProps) {
  const { data: keys } = useLoading(readKeys, 'keys');
  const { range, key } = chosen;
  const nameOf = useMemo(() => {
    // Two keys may have one name.
    const names = new Map(
      // A name from right to left is isolated from what follows it.
      keys?.map(({ id, name, display }) => [id, `\u2068${name}\u2069 …${display.slice(-4)}`]),
    );
    return (id: string) => names.get(id) ?? operationNames[id] ?? id;
  }, [keys]);
  const series = useMemo(() => seriesOf(answer, nameOf), [answer, nameOf]);
  const { times } = answer;
  if (answer.groups.every(({ total }) => total === 0))
    return <Empty about={texts.none(texts.range[range])} guide={['getting-started.html', texts.guide]} />;
  const whole = (first: number, last: number) =>
    spanning(times[first] as string, times[last] as string, answer);
  const failed = (first: number, last: number) => {
    const until = times[last + 1] ?? answer.to;
    // Those that failed are kept for less long.
    if (Date.now() - Date.parse(until) > failuresMs || !isOpen('failed-requests')) return undefined;
    return hrefOf('failed-requests', undefined, { key, since: times[first] as string, until });
  };
  return (
    <>
      <Figures chosen={chosen} now={now} before={before} />
      <Chart
        key={range}
        isOpen={Date.parse(answer.to) > Date.now()}
        series={series}
        count={times.length}
        brief={(time) => briefly(times[time] as string, range)}
        whole={whole}
        failed={failed}
      />
      <p class="note">{answer.resolution === 'day' ? texts.days : texts.hours(timeZone())}</p>
      <TotalTable answer={answer} nameOf={nameOf} change={change} />
      <NumberTable series={series} names={times.map((_, n) => whole(n, n))} />
    </>
  );
}
