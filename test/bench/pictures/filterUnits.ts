import { rounded, type Table } from '../report/report.ts';
import { barHeight, groupedBars } from './groupedBars.ts';
import type { Picture } from './picture.ts';
import { numbersIn, rowsOf } from './tables.ts';

/** The read units of a filtered page beside those of global secondary indexes, for filters that have them. */
export function filterUnits(table: Table): Picture {
  const filters = rowsOf(table).flatMap((row) => {
    const [theirs] = numbersIn(row('Units of GSIs (: this)'));
    const ours = Math.max(...numbersIn(row('Read units, first / middle / last page')));
    return theirs === undefined ? [] : [{ name: row('Filter'), ours, theirs }];
  });
  return {
    title: 'The exact total does not cost a read of every match',
    subtitle: 'Read units for a filtered page and its exact total, at the most costly of three offsets.',
    figures: filters
      .map(
        ({ name, ours, theirs }) => `${name}: ${rounded(ours)} read units here, ${rounded(theirs)} with GSIs`,
      )
      .join('; '),
    height: 2 * barHeight * filters.length,
    left: 120,
    right: 120,
    bottom: 8,
    layers: (colors) =>
      groupedBars(
        filters.flatMap(({ name: group, ours, theirs }) => [
          { group, way: 'this API', value: ours, label: `this API, ${rounded(ours)}` },
          { group, way: 'GSIs', value: theirs, label: `GSIs, ${rounded(theirs)}` },
        ]),
        colors,
      ),
  };
}
