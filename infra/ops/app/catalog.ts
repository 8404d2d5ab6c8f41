import type { Query } from './appDatabase.ts';

export interface Column {
  name: string;
  type: string;
  /** Whether a new row has to say it: it is NOT NULL and has no default. */
  isRequired: boolean;
  /** True if a unique index covers this column alone. */
  isUnique: boolean;
}

/** A table of an app that has one column as its key. Names are quoted where SQL needs it. */
export interface Table {
  name: string;
  key: string;
  columns: Column[];
  /** The columns that name a row of another table. */
  links: { column: string; table: string; ref: string }[];
}

const catalogSql = `
SELECT quote_ident(c.relname) AS name, quote_ident(k.attname) AS key,
  (SELECT json_agg(json_build_object('name', quote_ident(a.attname), 'type', format_type(a.atttypid, NULL),
      'isRequired', a.attnotnull AND NOT a.atthasdef AND a.attidentity = '', 'isUnique', EXISTS (SELECT FROM pg_index u
        WHERE u.indrelid = c.oid AND u.indisunique AND u.indpred IS NULL AND u.indnkeyatts = 1 AND u.indkey[0] = a.attnum)) ORDER BY a.attnum)
    FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
  coalesce((SELECT json_agg(json_build_object('column', quote_ident(a.attname), 'table', quote_ident(f.relname), 'ref', quote_ident(b.attname)))
    FROM pg_constraint x JOIN pg_class f ON f.oid = x.confrelid
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = x.conkey[1] JOIN pg_attribute b ON b.attrelid = f.oid AND b.attnum = x.confkey[1]
    WHERE x.conrelid = c.oid AND x.contype = 'f' AND cardinality(x.conkey) = 1), '[]') AS links
FROM pg_class c JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary AND i.indnkeyatts = 1
JOIN pg_attribute k ON k.attrelid = c.oid AND k.attnum = i.indkey[0]
WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = current_schema()::regnamespace AND c.relname !~ '^api_'
ORDER BY c.relname`;

/** Reads the tables of the current schema. A column such as `person_id` names a row of `people` also without a foreign key. */
export async function readCatalog(query: Query): Promise<Table[]> {
  const tables = (await query(catalogSql)) as unknown as Table[];
  for (const table of tables)
    for (const { name } of table.columns) {
      const one = /^(.+)_id$/.exec(name)?.[1];
      if (one === undefined || table.links.some(({ column }) => column === name)) continue;
      const many = [
        one,
        `${one}s`,
        `${one}es`,
        one.replace(/y$/, 'ies'),
        ...(one === 'person' ? ['people'] : []),
      ];
      const named = tables.find((other) => other !== table && many.includes(other.name));
      if (named) table.links.push({ column: name, table: named.name, ref: named.key });
    }
  return tables;
}
