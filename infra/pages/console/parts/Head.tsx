import { type Column, classOfColumn, nameOfColumn } from './Cell.tsx';
import * as texts from './texts.ts';

/** The names of the columns of a table. */
export const Head = ({ of, hasActions = false }: { of: readonly Column[]; hasActions?: boolean }) => (
  <thead>
    <tr>
      {of.map((column) => (
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
);
