import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OpsError } from '../../terminal/opsError.ts';
import type { Field, Join, ResourceMapping } from './mapping.ts';
import { keyOf, literal, nameOf, rowOf, viewOf } from './sqlNames.ts';
import { fieldsView, takenFunction, writeFunction, writtenView } from './writeSql.ts';

const read = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8');

/** Returns `drop.sql`, which removes what holds up a migration of the mapped tables. */
export const dropSql = (): string => read('drop.sql');

/** Returns `api.sql`, which connects the tables of a mapping with the API. It can be run again, after a migration too. */
export function apiSql(mappings: readonly ResourceMapping[]): string {
  const contacts = mappings.find(({ resource }) => resource === 'contacts');
  if (!contacts) throw new OpsError('The mapping needs [contacts]: other records name them.');
  const written = mappings.filter(({ create }) => create);
  const sql = [
    '-- Written by `npm run ops -- app sql` from the mapping: change the mapping, and write it again.',
    '-- Run it as the owner of your tables: psql -1 -v ON_ERROR_STOP=1 -f api.sql',
    dropSql().replace(/^--.*\n/gm, ''),
    takenFunction(written),
    read('support.sql'),
    ...mappings.map(visibleView),
    ...written.map(writtenView),
    fieldsView(written),
    ...written.map(writeFunction),
    moveFunction(contacts),
    recordsView(mappings),
    stateFunction(mappings),
    spreadFunction(mappings),
    noteAllFunction(mappings),
    ...mappings.map(triggers),
    fixedSearchPath(written),
  ].join('\n');
  assertNamedOnce(sql);
  return sql;
}

/** @throws OpsError if the view of a resource would have the name of another view or table that the SQL makes */
export function assertNamedOnce(sql: string): void {
  const made = [...sql.matchAll(/^CREATE (?:VIEW|TABLE IF NOT EXISTS) (\w+)/gm)].map(([, name]) => name);
  const twice = made.find((name, i) => made.indexOf(name) !== i);
  if (twice) throw new OpsError(`The mapping has a resource whose view would be ${twice}, a name of ours.`);
}

/** SQL without its texts, in which a name would be no column. */
const withoutTexts = (sql: string): string => sql.replace(/'[^']*'/g, "''");

/** The columns of an alias that matter to a record; `*` when an expression takes the whole row. */
function columnsOf({ key, account, hidden, joins, fields }: ResourceMapping, alias: string): string {
  const expressions = [
    account,
    hidden ?? '',
    ...fields.map(({ sent }) => sent),
    ...joins.map(({ on }) => on),
  ];
  const columns = new Set(alias === 't' ? [key.column] : []);
  for (const sql of expressions.map(withoutTexts))
    for (const [, column] of sql.matchAll(new RegExp(`(?<![."\\w])${alias}\\b(?:\\.("[^"]+"|\\w+))?`, 'g'))) {
      if (column === undefined) return '*';
      columns.add(column);
    }
  return [...columns].map((column) => column.replaceAll('"', '')).join(',');
}

/** How a join finds its rows: a column of its own table, and the expression that equals it. */
function linkOf({ alias, on }: Join): { own: string; other: string; otherAlias: string } {
  const column = String.raw`(\w+)\.("[^"]+"|\w+)`;
  for (const [, left, leftColumn, right, rightColumn] of on.matchAll(
    new RegExp(`${column}\\s*=\\s*${column}`, 'g'),
  )) {
    if (left === alias)
      return { own: leftColumn as string, other: `${right}.${rightColumn}`, otherAlias: right as string };
    if (right === alias)
      return { own: rightColumn as string, other: `${left}.${leftColumn}`, otherAlias: left as string };
  }
  throw new OpsError(`The mapping has a join without ${alias}.column = other.column: ${on}`);
}

/** The tables from which an alias of a mapping can be read. */
function pathTo(mapping: ResourceMapping, alias: string): string {
  const join = mapping.joins.find((one) => one.alias === alias);
  if (!join) return `${mapping.table} t`;
  return `${pathTo(mapping, linkOf(join).otherAlias)}\n  LEFT JOIN ${join.table} ${alias} ON ${join.on}`;
}

/** The fields of the entries of a list, by the names that they have there. */
const entriesOf = ({ fields }: ResourceMapping, list: string): [string, string][] =>
  fields
    .filter(({ path }) => path.startsWith(`${list}.`))
    .map(({ path, sent }) => [path.slice(list.length + 1), sent]);

/** A list as a table with one row: `entries`, and the sum of each amount. */
function listTable(mapping: ResourceMapping, { table, alias, on, field = '' }: Join): string {
  const entries = entriesOf(mapping, field);
  const order = entries.find(([name]) => name === 'id')?.[1];
  const sums = entries
    .filter(([name]) => name.endsWith('_amount'))
    .map(([name, sql]) => `,\n    coalesce(sum(${sql}), 0)::bigint AS ${name}`);
  const members = entries.map(([name, sql]) => `${literal(name)}, ${typed(name, sql)}`).join(', ');
  return `\n  LEFT JOIN LATERAL (SELECT coalesce(jsonb_agg(jsonb_build_object(${members})${order ? ` ORDER BY ${order}` : ''}), '[]') AS entries${sums.join('')}
    FROM ${table} ${alias} WHERE ${on}) AS ${field} ON true`;
}

/** The contract has ids and numbers as texts. An amount is never null; the API rejects one that is not whole, so it is not rounded here. */
const typed = (name: string, sql: string): string =>
  /(^|_)(id|number)$/.test(name)
    ? `(${sql})::text`
    : name.endsWith('_amount')
      ? `coalesce(trim_scale((${sql})::numeric), 0)`
      : sql;

/** The rows that clients may see, with a column for each field of the API. */
function visibleView(mapping: ResourceMapping): string {
  const { account, hidden, joins, fields, table } = mapping;
  const lists = joins.filter(({ kind }) => kind === 'list');
  const isEntry = ({ path }: Field) => lists.some(({ field }) => path.startsWith(`${field}.`));
  const columns = [
    ...fields.filter((field) => !isEntry(field)).map(({ path, sent }): [string, string] => [path, sent]),
    ...lists.map(({ field = '' }): [string, string] => [field, `${field}.entries`]),
  ];
  const from = joins.map((join) =>
    join.kind === 'list'
      ? listTable(mapping, join)
      : `\n  LEFT JOIN ${join.table} ${join.alias} ON ${join.on}`,
  );
  return `CREATE VIEW ${viewOf(mapping)} AS SELECT v.*, ${contentOf(columns.map(([path]) => path))} AS row_content FROM (
SELECT ${keyOf(mapping)} AS row_key, (${account})::text AS account${columns.map(([path, sql]) => `,\n  ${sql} AS "${path}"`).join('')}
FROM ${table} t${from.join('')}
WHERE (${account}) IS NOT NULL${hidden ? ` AND NOT coalesce(${hidden}, false)` : ''}) AS v;`;
}

/** SQL that makes the JSON of a record from columns whose names are paths. PostgreSQL takes 50 names in one call. */
function contentOf(paths: readonly string[]): string {
  const groups = Map.groupBy(paths, (path) => path.split('.')[0] as string);
  const members = [...groups].map(([name, [first = '', ...others]]) => {
    if (first === name) return `${literal(name)}, ${typed(name, `v."${name}"`)}`;
    const parts = [first, ...others].map((path) => {
      const part = path.slice(name.length + 1);
      return `${literal(part)}, ${name === 'custom_fields' ? `v."${path}"` : typed(part, `v."${path}"`)}`;
    });
    return `${literal(name)}, ${objectOf(parts)}`;
  });
  return objectOf(members);
}

function objectOf(members: readonly string[]): string {
  const calls = Array.from(
    { length: Math.ceil(members.length / 50) },
    (_, i) => `jsonb_build_object(${members.slice(50 * i, 50 * i + 50).join(', ')})`,
  );
  return calls.join(' || ');
}

function moveFunction({ table, key, moves }: ResourceMapping): string {
  const updates = moves.map((move) => {
    const at = move.lastIndexOf('.');
    const column = move.slice(at + 1);
    return `\n  UPDATE ${move.slice(0, at)} SET ${column} = to_key WHERE ${column} = from_key;`;
  });
  return `-- Gives what belongs to one contact to another.
CREATE OR REPLACE FUNCTION api_move(from_id text, to_id text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  from_key ${table}.${key.column}%TYPE := from_id;
  to_key ${table}.${key.column}%TYPE := to_id;
BEGIN${updates.join('')}
END $$;
CREATE OR REPLACE FUNCTION api_merge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM api_move(NEW.source_id, NEW.into_id);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER api_merge AFTER INSERT ON api_merged FOR EACH ROW EXECUTE FUNCTION api_merge();`;
}

const recordsView = (mappings: readonly ResourceMapping[]): string =>
  `-- Each row that clients may see and whose changes are noted, as the API has it once they are sent.
CREATE VIEW api_records AS
${mappings
  .map(
    (mapping) => `SELECT a.resource, a.source_id, v.account, a.api_id, a.revision,
  api_record(a.resource, a.source_id, a, v.row_content)::text AS record
FROM ${viewOf(mapping)} v JOIN ${rowOf(mapping)}`,
  )
  .join('\nUNION ALL\n')};`;

const stateFunction = (mappings: readonly ResourceMapping[]): string =>
  `-- What clients may see of a row; nothing when it is deleted, hidden, or has no account.
CREATE OR REPLACE FUNCTION api_state(of_resource text, of_id text) RETURNS TABLE (account text, content jsonb) LANGUAGE plpgsql AS $$
BEGIN
  CASE of_resource${mappings
    .map(
      (mapping) => `
    WHEN '${mapping.resource}' THEN RETURN QUERY SELECT v.account, v.row_content FROM ${viewOf(mapping)} v WHERE v.row_key = of_id::${mapping.key.type};`,
    )
    .join('')}
  END CASE;
END $$;`;

/** The joins whose rows any number of records may share. */
function sharedJoins(mapping: ResourceMapping): (ReturnType<typeof linkOf> & { join: Join })[] {
  return mapping.joins
    .map((join) => ({ join, ...linkOf(join) }))
    .filter(({ other }) => other !== keyOf(mapping));
}

function spreadFunction(mappings: readonly ResourceMapping[]): string {
  const blocks = mappings.flatMap((mapping) =>
    sharedJoins(mapping).map(({ join, other, otherAlias }) => {
      const table = mapping.joins.find(({ alias }) => alias === otherAlias)?.table ?? mapping.table;
      return `
  IF of_resource = '${mapping.resource}' AND of_via = '${join.alias}' THEN
    DECLARE of_key ${table}.${other.slice(other.indexOf('.') + 1)}%TYPE := of_value;
    BEGIN
      INSERT INTO api_changes (resource, source_id, later)
        SELECT DISTINCT '${mapping.resource}', ${keyOf(mapping)}::text, true FROM ${pathTo(mapping, otherAlias)} WHERE ${other} = of_key;
    END;
  END IF;`;
    }),
  );
  return `-- Notes each record that takes something from a row which has changed.
CREATE OR REPLACE FUNCTION api_spread(of_resource text, of_via text, of_value text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN${blocks.join('')}
END $$;`;
}

const noteAllFunction = (mappings: readonly ResourceMapping[]): string =>
  `-- Notes every row, and every record whose row may be gone: at first, and after changes that triggers have not seen. Only what differs is sent,
-- unless \`restate\` is true.
CREATE OR REPLACE FUNCTION api_note_all(restate boolean DEFAULT false) RETURNS void LANGUAGE sql AS $$
  INSERT INTO api_changes (resource, source_id, later, restate)
${mappings.map((mapping) => `  SELECT '${mapping.resource}', v.row_key::text, true, restate FROM ${viewOf(mapping)} v`).join('\n  UNION\n')}
  UNION
  SELECT a.resource, a.source_id, true, restate FROM api_rows a WHERE a.account IS NOT NULL
    AND a.resource IN (${mappings.map(({ resource }) => literal(resource)).join(', ')})
$$;
DELETE FROM api_changes WHERE resource NOT IN (${mappings.map(({ resource }) => literal(resource)).join(', ')});`;

/** A row of the table, or one of its own parts, leads to one record; a row that records share, to those that name it. */
function triggers(mapping: ResourceMapping): string {
  const { resource, table, key, joins } = mapping;
  const shared = sharedJoins(mapping);
  const watched = joins.map((join) => {
    const isShared = shared.some((one) => one.join === join);
    return {
      table: join.table,
      alias: join.alias,
      via: isShared ? join.alias : '',
      column: linkOf(join).own,
    };
  });
  return [{ table, alias: 't', via: '', column: key.column }, ...watched]
    .map(({ table: on, alias, via, column }) => {
      const names = [resource, via, column.replaceAll('"', ''), columnsOf(mapping, alias)].map(literal);
      return `CREATE TRIGGER api_${nameOf(mapping)}_${alias} AFTER INSERT OR UPDATE OR DELETE ON ${on} FOR EACH ROW EXECUTE FUNCTION api_note(${names.join(', ')});`;
    })
    .join('\n');
}

/** Functions that run with the rights of their owner must not find tables of whoever calls them. */
const fixedSearchPath = (written: readonly ResourceMapping[]): string => `DO $$
DECLARE function_name text;
BEGIN
  FOREACH function_name IN ARRAY ARRAY['api_note', 'api_gather', 'api_without_rejected', 'api_move', 'api_merge', 'api_state', 'api_spread'${written
    .map((mapping) => `, 'api_${nameOf(mapping)}_write'`)
    .join('')}] LOOP
    EXECUTE format('ALTER FUNCTION %I SET search_path = %I, pg_temp', function_name, current_schema());
  END LOOP;
END $$;
`;
