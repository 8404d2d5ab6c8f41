export type Field = [name: string, value: string];

export const fields = (pairs: readonly Field[]): string =>
  pairs.map(([name, value]) => `${name.padEnd(12)}${value}`).join('\n');

/** A table whose first row names the columns. */
export function columns(rows: string[][]): string {
  const widths = (rows[0] as string[]).map((_, i) =>
    rows.reduce((widest, row) => Math.max(widest, (row[i] as string).length), 0),
  );
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] as number))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
