import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { root } from '../../support/stack/stackProcess.ts';

export interface Table {
  columns: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}

/** The result of a bench: rows for people, and all figures for programs. */
export interface Report extends Table {
  title: string;
  notes?: readonly string[];
  raw: unknown;
}

/** The report as a Markdown table, as in docs/benchmarks.md. */
export const markdown = ({ title, columns, rows, notes = [] }: Report): string =>
  [
    `### ${title}`,
    '',
    line(columns),
    line(columns.map(() => '---')),
    ...rows.map(line),
    ...notes.flatMap((note) => ['', note]),
    '',
  ].join('\n');

const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

/** Where a bench leaves its figures and its pictures. */
export const figuresFolder = join(root, 'build', 'bench');

/** Writes a report to the build folder, with the machine and the time. @returns the file */
export function save(name: string, report: Report): string {
  mkdirSync(figuresFolder, { recursive: true });
  const file = join(figuresFolder, `${name}.json`);
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
  writeFileSync(file, `${JSON.stringify({ at: new Date().toISOString(), machine, ...report }, null, 2)}\n`);
  return file;
}

/** A number rounded to significant digits. */
export const rounded = (value: number, digits = 3): string =>
  value >= 10 ** digits ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(digits)));
