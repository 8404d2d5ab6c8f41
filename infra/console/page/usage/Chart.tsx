import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { counted } from '../numbers.ts';
import { ceilingOf, type Series, summedBy, totalsOf } from './series.ts';

interface Props {
  series: readonly Series[];
  /** How many times the series have. */
  count: number;
  /** The name of a time below the chart. */
  brief: (time: number) => string;
  /** The name of the times from one to another, which is the same for a bar of one time. */
  whole: (first: number, last: number) => string;
}

const height = 220;
const left = 52;
const top = 10;
const bottom = height - 24;
const barMin = 3;
const labelEvery = 72;

/** Bars of requests, stacked. A bar that is pointed at, or chosen with the arrow keys, says its exact numbers. */
export function Chart({ series, count, brief, whole }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [at, choose] = useState<number>();
  const plot = Math.max(0, width - left);
  // As many neighbours in a bar as it takes for bars that can be seen.
  const each = Math.max(1, Math.ceil((count * barMin) / Math.max(plot, 1)));
  const bars = Math.ceil(count / each);
  const step = plot / bars;
  const summed = useMemo(
    () => series.map((one) => ({ ...one, requests: summedBy(each, one.requests) })),
    [series, each],
  );
  const totals = totalsOf(summed);
  const end = ceilingOf(Math.max(0, ...totals));
  const yOf = (value: number) => bottom - (value / end) * (bottom - top);
  const spoken = (bar: number): string => {
    const parts = summed.map(({ name, requests }) => `${name}: ${counted(requests[bar] as number)}`);
    const name = whole(bar * each, Math.min(count, (bar + 1) * each) - 1);
    return `${name} – ${counted(totals[bar] as number)} in all; ${parts.join(', ')}`;
  };
  const pointed = (event: PointerEvent) => {
    const { left: start } = (event.currentTarget as Element).getBoundingClientRect();
    const bar = Math.floor((event.clientX - start - left) / step);
    choose(bar >= 0 && bar < bars ? bar : undefined);
  };
  return (
    <div class="chart" ref={frame}>
      {width > 0 && (
        <svg
          width={width}
          height={height}
          aria-hidden="true"
          onPointerMove={pointed}
          onPointerDown={pointed}
          onPointerLeave={({ pointerType }) => pointerType === 'mouse' && choose(undefined)}
        >
          {[0, end / 2, end].map((value) => (
            <g key={value}>
              <line x1={left} x2={width} y1={yOf(value)} y2={yOf(value)} />
              <text x={left - 8} y={yOf(value) + 4} text-anchor="end">
                {counted(value)}
              </text>
            </g>
          ))}
          {at !== undefined && (
            <rect class="at" x={left + at * step} y={top} width={step} height={bottom - top} />
          )}
          {pathsOf(summed, { step, yOf }).map((path, n) => (
            <path key={n} class={summed[n]?.tone} d={path} />
          ))}
          {labelsOf(bars, step, (bar) => brief(bar * each)).map(([x, words]) => (
            <text key={x} x={x} y={height - 6} text-anchor="middle">
              {words}
            </text>
          ))}
        </svg>
      )}
      <input
        type="range"
        class="unseen"
        aria-label="Requests by time"
        min={0}
        max={bars - 1}
        value={at ?? bars - 1}
        aria-valuetext={spoken(at ?? bars - 1)}
        onInput={({ currentTarget: { value } }) => choose(Number(value))}
        onFocus={() => choose(at ?? bars - 1)}
        onBlur={() => choose(undefined)}
      />
      <p class="note">
        {at === undefined
          ? 'Point at a bar, or reach the chart with the keyboard and use the arrow keys, for its exact numbers.'
          : spoken(at)}
      </p>
    </div>
  );
}

/** The width of an element, which follows the window. */
function useWidth(frame: { current: HTMLElement | null }): number {
  const [width, show] = useState(0);
  useLayoutEffect(() => {
    const element = frame.current as HTMLElement;
    const observer = new ResizeObserver(() => show(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return width;
}

/** The outline of all bars of each series, above those of the series before it. */
function pathsOf(
  series: readonly Series[],
  { step, yOf }: { step: number; yOf: (value: number) => number },
): string[] {
  const gap = step > 2 * barMin ? step / 6 : 0;
  const below: number[] = [];
  return series.map(({ requests }) =>
    requests
      .map((value, bar) => {
        const from = below[bar] ?? 0;
        below[bar] = from + value;
        if (value === 0) return '';
        const x = left + bar * step + gap / 2;
        return `M${x} ${yOf(from)}V${yOf(from + value)}H${x + step - gap}V${yOf(from)}Z`;
      })
      .join(''),
  );
}

/** The names below the chart: where the name changes, as far as there is room. */
function labelsOf(bars: number, step: number, nameOf: (bar: number) => string): [x: number, words: string][] {
  const labels: [number, string][] = [];
  for (let bar = 1; bar < bars; bar += 1) {
    const x = left + (bar + 0.5) * step;
    const previous = labels.at(-1)?.[0] ?? 0;
    const hasRoom = x - previous >= labelEvery && x <= left + bars * step - 20;
    if (hasRoom && nameOf(bar) !== nameOf(bar - 1)) labels.push([x, nameOf(bar)]);
  }
  return labels;
}
