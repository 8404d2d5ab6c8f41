import type { Table } from '../report/report.ts';

/** A row of a table by the names of its columns, as text. When two columns have the same name, the first one counts. */
export type Row = (column: string) => string;

/** The tables of a section of a Markdown text, in their order. */
export function tablesUnder(page: string, heading: string): Table[] {
  const [, section] = page.split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`There is no section "${heading}"`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/(?:^\|.*\n)+/gm)].map(([table]) => {
    const [columns = [], , ...rows] = table.trim().split('\n').map(cellsOf);
    return { columns, rows };
  });
}

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** The rows of a table. */
export const rowsOf = ({ columns, rows }: Table): Row[] =>
  rows.map((cells) => (column) => {
    const index = columns.indexOf(column);
    if (index === -1) throw new Error(`The table has no column "${column}", but ${columns.join(', ')}`);
    return String(cells[index]);
  });

/** All numbers in a cell: "3 / 3.5 / 1,204" has three. */
export const numbersIn = (cell: string): number[] =>
  [...cell.matchAll(/\d[\d,]*(?:\.\d+)?/g)].map(([digits]) => Number(digits.replaceAll(',', '')));

/** The first number in a cell. */
export function numberIn(cell: string): number {
  const [number] = numbersIn(cell);
  if (number === undefined) throw new Error(`There is no number in "${cell}"`);
  return number;
}
