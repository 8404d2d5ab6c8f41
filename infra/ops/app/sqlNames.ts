// Names and expressions that all generated SQL shares.
import type { ResourceMapping } from './mapping.ts';

export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
/** Returns the name of a resource in SQL, as in the view `api_contacts`. */
export const nameOf = ({ resource }: ResourceMapping): string => resource.replaceAll('-', '_');
/** Returns the view of the rows that clients may see. */
export const viewOf = (mapping: ResourceMapping): string => `api_visible_${nameOf(mapping)}`;
export const keyOf = ({ key }: ResourceMapping): string => `t.${key.column}`;

/** Returns the join of a row with what is known about it. PostgreSQL can begin at either side. */
export const rowOf = ({ resource, key }: ResourceMapping): string =>
  `api_rows a ON a.resource = '${resource}' AND a.source_id = v.row_key::text
  AND v.row_key = CASE WHEN a.resource = '${resource}' THEN a.source_id::${key.type} END`;
