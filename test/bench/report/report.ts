import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { root } from '../../support/stack/stackProcess.ts';

/** What a bench found out: rows for people, and the same with everything behind it for programs. */
export interface Report {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly (string | number)[])[];
  notes?: readonly string[];
  raw: unknown;
}

/** The report as a table in Markdown, as it stands in docs/benchmarks.md. */
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

/** Keeps a report in the build folder, with the machine and the day. @returns the file */
export function save(name: string, report: Report): string {
  const folder = join(root, 'build', 'bench');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.json`);
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
  writeFileSync(file, `${JSON.stringify({ at: new Date().toISOString(), machine, ...report }, null, 2)}\n`);
  return file;
}

/** A number with so many digits that count. */
export const rounded = (value: number, digits = 3): string =>
  value >= 10 ** digits ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(digits)));
