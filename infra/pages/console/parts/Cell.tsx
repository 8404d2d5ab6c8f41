import type { ComponentChildren } from 'preact';

/** A column of a table: its name, and whether it has numbers, which are on the right. */
export type Column = string | { name: string; isNumber: true };

export const nameOfColumn = (column: Column): string => (typeof column === 'string' ? column : column.name);

export const classOfColumn = (column: Column): string => (typeof column === 'string' ? '' : 'number');

interface Props {
  of: Column;
  class?: string;
  children: ComponentChildren;
}

/** A cell of a column. On a phone, where a row is a card, the name of the column is beside it. */
export const Cell = ({ of, class: own = '', children }: Props) => (
  <td data-label={nameOfColumn(of)} class={`${classOfColumn(of)} ${own}`.trim()}>
    {children}
  </td>
);
