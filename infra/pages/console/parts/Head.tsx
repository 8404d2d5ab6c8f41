import * as texts from './texts.ts';

/** The names of the columns of a table. */
export const Head = ({ of, hasActions = false }: { of: readonly string[]; hasActions?: boolean }) => (
  <thead>
    <tr>
      {of.map((name) => (
        <th key={name} scope="col">
          {name}
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
