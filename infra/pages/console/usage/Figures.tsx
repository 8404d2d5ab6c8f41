import type { UsageAnswer } from '../../../../lib/contract/console/usage.ts';
import { useLoading } from '../loading.ts';
import { counted } from '../numbers.ts';
import { type Chosen, readUsage } from './calls.ts';
import { isKeptBefore } from './range.ts';
import * as texts from './texts.ts';

/** What a range of time comes to. */
export interface Sums {
  requests: number;
  failed: number;
  '5xx': number;
  /** Null when there was no request. */
  ms: number | null;
}

/** @param groups by the status of the answers */
export function sumsOf({ groups }: Pick<UsageAnswer, 'groups'>): Sums {
  const totals = Object.fromEntries(groups.map(({ status_class, total }) => [status_class, total]));
  const { '2xx': succeeded = 0, '4xx': refused = 0, '5xx': broken = 0 } = totals;
  const requests = succeeded + refused + broken;
  const ms = groups.reduce((sum, { total, average_ms }) => sum + total * (average_ms ?? 0), 0);
  return {
    requests,
    failed: refused + broken,
    '5xx': broken,
    ms: requests === 0 ? null : Math.round(ms / requests),
  };
}

/** Returns how a number differs from the one before: `+12 %`; undefined when there is nothing to compare with. */
export function changeOf(now: number | null, before: number | null | undefined): string | undefined {
  if (now === null || !before) return undefined;
  const percent = Math.round((100 * (now - before)) / before);
  return `${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${counted(Math.abs(percent))} %`;
}

/** Four numbers of the range, each with its change since the range before. */
export function Figures({ chosen }: { chosen: Chosen }) {
  const asked: Chosen = { ...chosen, by: 'status' };
  const { data } = useLoading(
    () =>
      Promise.all([
        readUsage(asked).then(sumsOf),
        isKeptBefore(asked.range) ? readUsage(asked, 1).then(sumsOf) : undefined,
      ]),
    `figures ${JSON.stringify(asked)}`,
  );
  const [now, before] = data ?? [];
  const figure = (label: string, name: keyof Sums, words: (count: number) => string = counted) => {
    const change = now && changeOf(now[name], before?.[name]);
    return (
      <div>
        <dt>{label}</dt>
        <dd>
          {now ? (now[name] === null ? '–' : words(now[name])) : '…'}
          {change && <small>{texts.change(change, texts.range[asked.range])}</small>}
        </dd>
      </div>
    );
  };
  return (
    <dl class="figures">
      {figure(texts.figures.requests, 'requests')}
      {figure(texts.figures.failed, 'failed')}
      {figure(texts.figures.broken, '5xx')}
      {figure(texts.figures.time, 'ms', texts.milliseconds)}
    </dl>
  );
}
