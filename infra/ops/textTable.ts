/** Formats rows as a table for a person. `columns` returns the text of each cell, by the name of its column. */
export function tableOf<Row>(rows: readonly Row[], columns: Record<string, (row: Row) => string>): string {
  const names = Object.keys(columns);
  const lines = [names, ...rows.map((row) => Object.values(columns).map((text) => text(row)))];
  const widths = names.map((_, i) =>
    lines.reduce((widest, cells) => Math.max(widest, cells[i]?.length ?? 0), 0),
  );
  return lines
    .map((cells) =>
      cells
        .map((cell, i) => cell.padEnd(widths[i] as number))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
