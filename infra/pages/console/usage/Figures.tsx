import { useLoading } from '../loading.ts';
import { counted } from '../numbers.ts';
import { Fact } from '../parts/Fact.tsx';
import { type Chosen, readUsage } from './calls.ts';
import { isKeptBefore } from './range.ts';
import { changeOf, type Sums, sumsOf } from './series.ts';
import * as texts from './texts.ts';

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
      <Fact label={label}>
        {now ? (now[name] === null ? '–' : words(now[name])) : '…'}
        {change && <small>{texts.change(change, texts.range[asked.range])}</small>}
      </Fact>
    );
  };
  return (
    <dl class="figures">
      {figure(texts.figures.requests, 'requests')}
      {figure(texts.figures.failed, 'failed')}
      {figure(texts.figures.broken, '5xx')}
      {figure(texts.figures.time, 'p95', texts.milliseconds)}
    </dl>
  );
}
