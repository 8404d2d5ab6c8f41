import operationNames from 'console:operations';
import { useState } from 'preact/hooks';
import type { UsageAnswer } from '../../../../lib/contract/console/consoleUsage.ts';
import { counted } from '../locale.ts';
import { Table } from '../parts/Table.tsx';
import { hrefOf } from '../route.ts';
import { groupName, type Series, toneOf, totalsOf } from './series.ts';
import type { Chosen, UsageGroup } from './usageCalls.ts';
import * as texts from './usageTexts.ts';

interface TotalProps {
  answer: UsageAnswer;
  nameOf: (keyId: string) => string;
  change: (part: Partial<Chosen>) => void;
}

/** The groups with their sums, which is also the legend of the chart. A key or an operation leads to its own statuses. */
export const TotalTable = ({ answer, nameOf, change }: TotalProps) => (
  <Table
    class="small numeric"
    caption={texts.totals}
    columns={[
      texts.firstColumn[answer.group_by],
      ...(answer.group_by === 'status' ? texts.columns : texts.columnsOfFailed),
    ]}
  >
    {answer.groups.map((group, place) => (
      <tr key={`${group.status_class} ${group.key_id} ${group.operation}`}>
        <th scope="row">
          <span class="legend">
            <span class="swatch" style={{ background: toneOf(group, place) }} />
            <Name of={group} words={groupName(group, nameOf)} change={change} />
          </span>
        </th>
        <td>{counted(group.total)}</td>
        {answer.group_by !== 'status' && (
          <td>
            <Failed of={group} />
          </td>
        )}
        <td>{group.p95_ms === null ? '' : texts.milliseconds(group.p95_ms)}</td>
      </tr>
    ))}
  </Table>
);

const Failed = ({ of: { total, failed, key_id } }: { of: UsageGroup }) => {
  const words = texts.failedOf(failed, total);
  if (failed === 0 || key_id === null) return words;
  return <a href={hrefOf('failed-requests', undefined, { key: key_id })}>{words}</a>;
};

/** Whether the page can show this group alone. The API takes no operation that was removed. */
const canBeChosen = ({ key_id, operation }: UsageGroup): boolean =>
  key_id !== null || (operation !== null && operation in operationNames);

interface NameProps {
  of: UsageGroup;
  words: string;
  change: TotalProps['change'];
}

function Name({ of: group, words, change }: NameProps) {
  if (!canBeChosen(group)) return <span>{words}</span>;
  const { key_id, operation } = group;
  const only = key_id === null ? { operation: operation ?? '' } : { key: key_id };
  return (
    <button type="button" class="link" onClick={() => change({ ...only, by: 'status' })}>
      <bdi>{words}</bdi>
    </button>
  );
}

/** A table with all numbers of the chart. It is long, so it is rendered only when somebody opens it. */
export function NumberTable({ series, names }: { series: readonly Series[]; names: readonly string[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="numbers" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{texts.allNumbers}</summary>
      {isOpen && <Numbers series={series} names={names} />}
    </details>
  );
}

function Numbers({ series, names }: { series: readonly Series[]; names: readonly string[] }) {
  const totals = totalsOf(series);
  return (
    <section class="scrolled" aria-label={texts.numbers} tabindex={0}>
      <Table
        class="small numeric"
        caption={texts.chart}
        columns={[texts.time, ...series.map(({ name }) => name), texts.total]}
      >
        {names.map((name, n) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {series.map(({ name: group, requests }) => (
              <td key={group}>{counted(requests[n] as number)}</td>
            ))}
            <td>{counted(totals[n] as number)}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
