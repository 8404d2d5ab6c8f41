import { useMemo, useState } from 'preact/hooks';
import type { ConsoleKey } from '../../../../lib/contract/console/keys.ts';
import type { UsageAnswer } from '../../../../lib/contract/console/usage.ts';
import { readKeys } from '../keys/calls.ts';
import { useLoading } from '../loading.ts';
import { Heading } from '../parts/Heading.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Chart } from './Chart.tsx';
import { type Chosen, readUsage } from './calls.ts';
import { csvOf, download } from './csv.ts';
import { briefly, ranges, spanning } from './range.ts';
import { groupName, seriesOf } from './series.ts';
import { NumberTable, TotalTable } from './tables.tsx';
import { UsageFilters } from './UsageFilters.tsx';

/** @param keyId shows only the requests with this key, at first */
export function UsageTab({ keyId = '' }: { keyId: string | undefined }) {
  const [chosen, set] = useState<Chosen>({ range: '24h', group_by: 'status', key_id: keyId, operation: '' });
  const change = (part: Partial<Chosen>) => set({ ...chosen, ...part });
  const keys = useLoading(readKeys, 'keys').data;
  const loading = useLoading(() => readUsage(chosen), JSON.stringify(chosen));
  return (
    <>
      <Heading
        title="Usage"
        about="The requests with the API keys of this account. They are usually counted within 3 minutes, and are no basis for a bill."
      >
        <button type="button" onClick={loading.again} disabled={loading.isReading}>
          Read again
        </button>
      </Heading>
      <UsageFilters chosen={chosen} change={change} keys={keys ?? []} />
      <Loaded loading={loading} what="usage">
        {(answer) => <Shown answer={answer} chosen={chosen} change={change} keys={keys} />}
      </Loaded>
    </>
  );
}

interface ShownProps {
  answer: UsageAnswer;
  chosen: Chosen;
  change: (part: Partial<Chosen>) => void;
  keys: readonly ConsoleKey[] | undefined;
}

function Shown({ answer, chosen: { range }, change, keys }: ShownProps) {
  const nameOf = useMemo(() => {
    // Two keys may have one name.
    const names = new Map(keys?.map(({ id, name, display }) => [id, `${name} …${display.slice(-4)}`]));
    return (id: string) => names.get(id) ?? id;
  }, [keys]);
  const series = useMemo(() => seriesOf(answer, nameOf), [answer, nameOf]);
  const { times } = answer;
  if (answer.groups.every(({ total }) => total === 0))
    return (
      <p class="empty">
        No requests in the last {ranges[range].words}. The first ones are shown here about 3 minutes after
        they were made.
      </p>
    );
  const whole = (first: number, last: number) =>
    spanning(times[first] as string, times[last] as string, answer);
  const save = () =>
    download(
      `usage ${answer.from.slice(0, 10)} to ${answer.to.slice(0, 10)} by ${answer.group_by}.csv`,
      csvOf(answer, (group) => groupName(group, (id) => `${nameOf(id)} ${id}`)),
    );
  return (
    <>
      <Chart
        key={range}
        series={series}
        count={times.length}
        brief={(time) => briefly(times[time] as string, range)}
        whole={whole}
      />
      {answer.resolution === 'day' && <p class="note">Days begin at midnight UTC.</p>}
      <TotalTable answer={answer} nameOf={nameOf} change={change} />
      <div class="actions">
        <button type="button" onClick={save}>
          Download as CSV
        </button>
      </div>
      <NumberTable series={series} names={times.map((_, n) => whole(n, n))} />
    </>
  );
}
