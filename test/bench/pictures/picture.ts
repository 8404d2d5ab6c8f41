import type { Table } from '../report/report.ts';
import type { Colors } from './colors.ts';

/** A part of a picture in the language of Vega-Lite: its data, its mark, and how the data place and color the mark. */
export interface Layer {
  data?: object;
  mark?: object | string;
  encoding?: Encoding;
  [other: string]: unknown;
}

/** How the data of a part place and color its mark. */
export type Encoding = Record<string, unknown>;

/** A picture that answers one question. Its sizes are in pixels. */
export interface Picture {
  /** The answer, in a sentence. */
  title: string;
  /** What was measured, and in which unit. */
  subtitle: string;
  /** The height of the plot without title and axis. */
  height: number;
  /** The space for labels on the left of the plot and on its right. */
  left: number;
  right: number;
  /** The space below the plot, for an axis. */
  bottom: number;
  layers(colors: Colors): Layer[];
}

/** How a picture is made from tables: those of a section of docs/benchmarks.md, or that of a bench that has just run. */
export interface PictureSource {
  /** The name of its files. */
  name: string;
  /** The section of docs/benchmarks.md with its tables. */
  heading: string;
  /** The bench that measures its first table. */
  bench?: string;
  picture(...tables: Table[]): Picture;
}
