import type { UsageAnswer } from '../../../../lib/contract/console/consoleUsage.ts';
import { counted } from '../locale.ts';
import { Fact } from '../parts/Fact.tsx';
import { hrefOf } from '../route.ts';
import { changeOf, type Sums, sumsOf } from './series.ts';
import type { Chosen } from './usageCalls.ts';
import * as texts from './usageTexts.ts';

interface Props {
  chosen: Chosen;
  /** By status, as that of the range before; `null` when none is kept. */
  now: UsageAnswer;
  before: UsageAnswer | null;
}

/** Four numbers of the range, each with its change since the range before. */
export function Figures({ chosen: { key, range }, now, before }: Props) {
  const sums = sumsOf(now);
  // The last hour or day is not over, so it is compared with nothing.
  const [whole, earlier] = [sumsOf(now, -1), before && sumsOf(before, -1)];
  const figure = (
    label: preact.ComponentChildren,
    name: keyof Sums,
    words: (count: number) => string = counted,
  ) => {
    const was = earlier?.[name];
    const change = changeOf(whole[name], was);
    const none = was === 0 ? texts.noneBefore(texts.range[range]) : texts.noChange;
    return (
      <Fact label={label}>
        {sums[name] === null ? '–' : words(sums[name])}
        <small>{change ? texts.change(change, texts.range[range]) : none}</small>
      </Fact>
    );
  };
  return (
    <dl class="figures">
      {figure(texts.figuresRequests, 'requests')}
      {figure(<a href={hrefOf('failed-requests', undefined, { key })}>{texts.figuresFailed}</a>, 'failed')}
      {figure(texts.figuresBroken, '5xx')}
      {figure(texts.figuresTime, 'p95', texts.milliseconds)}
    </dl>
  );
}
