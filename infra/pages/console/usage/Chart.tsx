import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { counted } from '../locale.ts';
import { useBarChoice } from './barChoice.ts';
import { bottom, height, labelsOf, left, pathsOf, plotOf, top, yOf } from './geometry.ts';
import type { Series } from './series.ts';
import * as texts from './usageTexts.ts';

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

/** Bars of requests, stacked. The one that is chosen says its exact numbers. */
export function Chart({ series, count, isOpen, brief, whole, failed }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const stripes = useId();
  const width = useWidth(frame);
  const plot = useMemo(() => plotOf(series, count, width), [series, count, width]);
  const { step, bars, totals, end, timesOf } = plot;
  const { at, choose, pointed, left: leave } = useBarChoice();
  const nameOf = (bar: number) => whole(...timesOf(bar)) + (isOpen && bar === bars - 1 ? texts.soFar : '');
  const partsOf = (bar: number) =>
    plot.series.map(({ name, tone, requests }) => ({ name, tone, count: requests[bar] as number }));
  const spoken = (bar: number): string => {
    const parts = partsOf(bar).map((part) => `${part.name}: ${counted(part.count)}`);
    return `${nameOf(bar)} – ${texts.inAll(totals[bar] as number)}; ${parts.join(', ')}`;
  };
  const point = (event: PointerEvent) => {
    const { left: start } = (event.currentTarget as Element).getBoundingClientRect();
    const bar = Math.floor((event.clientX - start - left) / step);
    pointed(bar >= 0 && bar < bars ? bar : undefined, event.type === 'pointerdown');
  };
  const barOf = (bar: number) => ({ x: left + bar * step, y: top, width: step, height: bottom - top });
  return (
    <div class="chart" ref={frame} onPointerLeave={({ pointerType }) => leave(pointerType === 'mouse')}>
      {width > 0 && (
        <svg width={width} height={height} aria-hidden="true" onPointerMove={point} onPointerDown={point}>
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
              <line x1={left} x2={width} y1={yOf(value, end)} y2={yOf(value, end)} />
              <text x={left - 8} y={yOf(value, end) + 4} text-anchor="end">
                {counted(value)}
              </text>
            </g>
          ))}
          {pathsOf(plot).map((path, n) => (
            <path key={n} style={{ fill: series[n]?.tone ?? '' }} d={path} />
          ))}
          {isOpen && <rect {...barOf(bars - 1)} fill={`url(#${stripes})`} />}
          {at !== undefined && <rect class="at" {...barOf(at)} />}
          {labelsOf(plot, (bar) => brief(timesOf(bar)[0])).map(([x, words]) => (
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
        onInput={({ currentTarget: { value } }) => choose(Number(value))}
        onFocus={() => choose(at ?? bars - 1)}
      />
      {at !== undefined && (
        <Tip
          from={left + at * step}
          to={left + (at + 1) * step}
          width={width}
          title={nameOf(at)}
          total={totals[at] as number}
          parts={partsOf(at)}
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
            <span class="swatch" style={{ background: tone }} />
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
