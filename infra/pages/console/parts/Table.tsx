import type { ComponentChildren } from 'preact';
import * as texts from './partTexts.ts';

/** A column: its name, and whether it has numbers, which are on the right. */
export type Column = string | { name: string; isNumber: true };

export const nameOfColumn = (column: Column): string => (typeof column === 'string' ? column : column.name);

const classOfColumn = (column: Column): string => (typeof column === 'string' ? '' : 'number');

interface TableProps {
  class: string;
  /** Is read aloud before the table. */
  caption: string;
  columns: readonly Column[];
  /** Whether a last column has buttons. */
  hasActions?: boolean;
  /** The rows. */
  children: ComponentChildren;
}

export const Table = ({ class: own, caption, columns, hasActions = false, children }: TableProps) => (
  <table class={own}>
    <caption class="unseen">{caption}</caption>
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={nameOfColumn(column)} scope="col" class={classOfColumn(column)}>
            {nameOfColumn(column)}
          </th>
        ))}
        {hasActions && (
          <th scope="col">
            <span class="unseen">{texts.actions}</span>
          </th>
        )}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
);

interface CellProps {
  of: Column;
  class?: string;
  children: ComponentChildren;
}

/** Renders a cell. On a phone, each row is a card, in which a cell also shows the name of its column unless it is `bare`. */
export const Cell = ({ of, class: own = '', children }: CellProps) => (
  <td data-label={nameOfColumn(of)} class={`${classOfColumn(of)} ${own}`.trim()}>
    {children}
  </td>
);
