import { rounded, type Table } from '../report/report.ts';
import { barHeight, groupedBars } from './groupedBars.ts';
import type { Picture } from './picture.ts';
import { numberIn, rowsOf } from './tables.ts';

/** The records per second of each way to store many, near the database and at the distance of the real one. */
export function imports(table: Table): Picture {
  const bars = rowsOf(table).map((row) => {
    const way = row('Way');
    const value = numberIn(row('Records per second'));
    return { group: row('Added to each call'), way, value, label: `${way}, ${rounded(value)}` };
  });
  const far = rowsOf(table).findLast((row) => row('Way').startsWith('createRecord'));
  if (!far) throw new Error('The table has no row about createRecord');
  const times = rounded(numberIn(far('Import : this')), 2);
  return {
    title: `With the latency of a real database, an import is ${times} times as fast`,
    subtitle: 'Contacts per second, by the latency that is added to each call of the embedded database.',
    height: barHeight * bars.length,
    left: 166,
    right: 120,
    bottom: 8,
    layers: (colors) => groupedBars(bars, colors),
  };
}
