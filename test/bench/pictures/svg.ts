import { packageOf } from '../../../infra/ops/packages.ts';
import { type Colors, type Theme, themes } from './colors.ts';
import type { Layer, Picture } from './picture.ts';

/** What this file uses of Vega. */
interface Vega {
  parse(spec: object): object;
  View: new (parsed: object, options: object) => { toSVG(): Promise<string>; finalize(): void };
}

/** What this file uses of Vega-Lite. */
interface VegaLite {
  compile(spec: object): { spec: object };
}

/** With this width GitHub shows a picture at its own size. */
const width = 720;

/** The space above the plot, for title and subtitle, and where they begin in it. */
const top = 64;
const edge = 4;

/** A picture as the text of an SVG file. The same picture is the same text on every machine. */
export async function svgOf(picture: Picture, theme: Theme): Promise<string> {
  const { parse, View } = await packageOf<Vega>(import.meta.dirname, 'vega');
  const { compile } = await packageOf<VegaLite>(import.meta.dirname, 'vega-lite');
  const { spec } = compile(specOf(picture, themes[theme]));
  const view = new View(parse(spec), { renderer: 'none' });
  const svg = await view.toSVG();
  view.finalize();
  return `${withShortNumbers(svg)}\n`;
}

/** No size depends on the widths of texts: without a browser Vega only guesses them. */
function specOf(picture: Picture, colors: Colors): object {
  const { height, left, right, bottom, layers } = picture;
  return {
    width: width - left - right,
    height,
    padding: { left, right, top, bottom },
    autosize: { type: 'none' },
    layer: [...layers(colors), ...headLayers(picture, colors)],
    config: {
      background: 'transparent',
      font: "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif",
      aria: false,
      view: { stroke: null },
      axis: {
        labelFontSize: 12,
        labelColor: colors.muted,
        labelLimit: 0,
        labelOverlap: false,
        labelFlush: false,
        titleFontSize: 12,
        titleFontWeight: 'normal',
        titleColor: colors.muted,
        gridColor: colors.grid,
        domain: false,
        ticks: false,
        labelPadding: 8,
        titlePadding: 8,
      },
      axisBand: { grid: false, labelColor: colors.text, labelFontSize: 13 },
      text: { fontSize: 13, color: colors.text, align: 'left', baseline: 'middle' },
      line: { strokeWidth: 2.5 },
      point: { filled: true, size: 64, opacity: 1 },
      rule: { strokeWidth: 3 },
    },
  };
}

/** Title and subtitle are marks: the place of a title of Vega depends on the widths of other texts. */
const headLayers = ({ title, subtitle, left }: Picture, { muted }: Colors): Layer[] => [
  {
    data: { values: [{}] },
    mark: { ...headMark(left), text: title, y: 20 - top, fontSize: 16, fontWeight: 600 },
  },
  { data: { values: [{}] }, mark: { ...headMark(left), text: subtitle, y: 42 - top, color: muted } },
];

const headMark = (left: number) => ({ type: 'text', baseline: 'alphabetic', x: edge - left }) as const;

/** Numbers in the tags, not in the texts, with two decimals: the rest is below what a screen shows. */
const withShortNumbers = (svg: string): string =>
  svg.replace(/<[^>]+>/g, (tag) =>
    tag.replace(/\d+\.\d{3,}/g, (number) => String(Number(Number(number).toFixed(2)))),
  );
