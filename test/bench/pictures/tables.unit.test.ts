import { expect, test } from 'vitest';
import { numberIn, numbersIn, rowsOf, tablesUnder } from './tables.ts';

const page = `# Page

## First

| A | B |
|---|---|
| 1 | 2 |

## Second

A sentence about | signs.

| Way | ms | ms |
|---|---|---|
| list | 1,204 | 3 |
| scan | 3 / 3.5 | – |

| Other |
|---|
| 7 |
`;

test('the tables of a section are those before the next one, with their cells as text', () => {
  expect(tablesUnder(page, 'Second')).toEqual([
    {
      columns: ['Way', 'ms', 'ms'],
      rows: [
        ['list', '1,204', '3'],
        ['scan', '3 / 3.5', '–'],
      ],
    },
    { columns: ['Other'], rows: [['7']] },
  ]);
  expect(() => tablesUnder(page, 'Third')).toThrow('There is no section "Third"');
});

test('a row has a cell for each column, the first one for a name that two columns have', () => {
  const [list] = rowsOf({ columns: ['Way', 'ms', 'ms'], rows: [['list', 1204, '3']] });
  expect(list?.('ms')).toBe('1204');
  expect(() => list?.('units')).toThrow('The table has no column "units", but Way, ms, ms');
});

test('numbers are read as tables show them', () => {
  expect(numbersIn('3 / 3.5 / 1,204')).toEqual([3, 3.5, 1204]);
  expect(numberIn('126 (4.07 ×)')).toBe(126);
  expect(() => numberIn('–')).toThrow('There is no number in "–"');
});
