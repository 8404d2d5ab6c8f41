import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { counted } from '../numbers.ts';
import { ceilingOf, heightsOf, type Series, summedBy, totalsOf } from './series.ts';
import { texts } from './words.ts';

interface Props {
  series: readonly Series[];
  /** How many times the series have. */
  count: number;
  /** Whether the last of them is not over. */
  isOpen: boolean;
  /** The name of a time below the chart. */
  brief: (time: number) => string;
  /** The name of the times from one to another, which is the same for a bar of one time. */
  whole: (first: number, last: number) => string;
  /** The address of the requests that failed from one time to another, if there can be one. */
  failed: (first: number, last: number) => string | undefined;
}

const height = 220;
const left = 52;
const top = 10;
const bottom = height - 24;
const barMin = 3;
const labelEvery = 84;

/** Bars of requests, stacked. One that is pointed at, tapped, or chosen with the arrow keys, says its exact numbers, until Esc. */
export function Chart({ series, count, isOpen, brief, whole, failed }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const stripes = useId();
  const width = useWidth(frame);
  const [at, choose] = useState<number>();
  // So that a mouse can reach the link beside a bar.
  const [isPinned, pin] = useState(false);
  const [isClosed, close] = useState(false);
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
  const timesOf = (bar: number) => [bar * each, Math.min(count, (bar + 1) * each) - 1] as const;
  const nameOf = (bar: number) => whole(...timesOf(bar)) + (isOpen && bar === bars - 1 ? texts.soFar : '');
  const spoken = (bar: number): string => {
    const parts = summed.map(({ name, requests }) => `${name}: ${counted(requests[bar] as number)}`);
    return `${nameOf(bar)} – ${texts.inAll(totals[bar] as number)}; ${parts.join(', ')}`;
  };
  const show = (bar: number | undefined) => {
    choose(bar);
    close(false);
  };
  // A mouse that shows it needs no focus, so the key may be pressed anywhere.
  useEffect(() => {
    const pressed = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      pin(false);
      close(true);
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
  const pointed = (event: PointerEvent) => {
    const { left: start } = (event.currentTarget as Element).getBoundingClientRect();
    const bar = Math.floor((event.clientX - start - left) / step);
    show(bar >= 0 && bar < bars ? bar : undefined);
    if (event.type === 'pointerdown') pin(!isPinned || bar !== at);
  };
  return (
    <div
      class="chart"
      ref={frame}
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && !isPinned && choose(undefined)}
    >
      {width > 0 && (
        <svg
          width={width}
          height={height}
          aria-hidden="true"
          onPointerMove={(event) => isPinned || pointed(event)}
          onPointerDown={pointed}
        >
          <pattern
            id={stripes}
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect class="stripe" width="3" height="6" />
          </pattern>
          {[0, end / 2, end].map((value) => (
            <g key={value}>
              <line x1={left} x2={width} y1={yOf(value)} y2={yOf(value)} />
              <text x={left - 8} y={yOf(value) + 4} text-anchor="end">
                {counted(value)}
              </text>
            </g>
          ))}
          {pathsOf(summed, end, step).map((path, n) => (
            <path key={n} class={summed[n]?.tone} d={path} />
          ))}
          {isOpen && (
            <rect
              x={left + (bars - 1) * step}
              y={top}
              width={step}
              height={bottom - top}
              fill={`url(#${stripes})`}
            />
          )}
          {at !== undefined && !isClosed && (
            <rect class="at" x={left + at * step} y={top} width={step} height={bottom - top} />
          )}
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
        aria-label={texts.chart}
        min={0}
        max={bars - 1}
        value={at ?? bars - 1}
        aria-valuetext={spoken(at ?? bars - 1)}
        onInput={({ currentTarget: { value } }) => show(Number(value))}
        onFocus={() => show(at ?? bars - 1)}
      />
      {at !== undefined && !isClosed && (
        <Tip
          from={left + at * step}
          to={left + (at + 1) * step}
          width={width}
          title={nameOf(at)}
          total={totals[at] as number}
          parts={summed.map(({ name, tone, requests }) => ({ name, tone, count: requests[at] as number }))}
          href={failed(...timesOf(at))}
        />
      )}
    </div>
  );
}

interface TipProps {
  /** Where its bar begins and ends. */
  from: number;
  to: number;
  /** Of the chart. */
  width: number;
  title: string;
  total: number;
  parts: { name: string; tone: string; count: number }[];
  href: string | undefined;
}

/** The numbers of a bar, beside it on the side that has more room. */
const Tip = ({ from, to, width, title, total, parts, href }: TipProps) => (
  <div
    class="tip"
    // Over the object model of styles: the policy of the page forbids them in its HTML alone.
    style={from + to < width ? { left: `${to + 8}px` } : { right: `${width - from + 8}px` }}
  >
    <strong>{title}</strong>
    <dl>
      {parts.map(({ name, tone, count }) => (
        <div key={name}>
          <dt>
            <span class={`swatch ${tone}`} />
            <bdi>{name}</bdi>
          </dt>
          <dd>{counted(count)}</dd>
        </div>
      ))}
      <div>
        <dt>{texts.total}</dt>
        <dd>{counted(total)}</dd>
      </div>
    </dl>
    {href && <a href={href}>{texts.failed}</a>}
  </div>
);

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
function pathsOf(series: readonly Series[], end: number, step: number): string[] {
  const gap = step > 2 * barMin ? step / 6 : 0;
  const bars = series[0]?.requests.length ?? 0;
  const paths = series.map(() => '');
  for (let bar = 0; bar < bars; bar += 1) {
    const heights = heightsOf(
      series.map(({ requests }) => requests[bar] as number),
      end,
      bottom - top,
    );
    const x = left + bar * step + gap / 2;
    let y = bottom;
    for (const [n, size] of heights.entries()) {
      if (size > 0) paths[n] += `M${x} ${y}V${y - size}H${x + step - gap}V${y}Z`;
      y -= size;
    }
  }
  return paths;
}

/** The names below the chart: where the name changes, as far as there is room. */
function labelsOf(bars: number, step: number, nameOf: (bar: number) => string): [x: number, words: string][] {
  const labels: [number, string][] = [];
  for (let bar = 1; bar < bars; bar += 1) {
    const x = left + (bar + 0.5) * step;
    const previous = labels.at(-1)?.[0] ?? 0;
    const hasRoom = x - previous >= labelEvery && x <= left + bars * step - 30;
    if (hasRoom && nameOf(bar) !== nameOf(bar - 1)) labels.push([x, nameOf(bar)]);
  }
  return labels;
}
