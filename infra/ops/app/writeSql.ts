// The generated SQL through which the edits of clients reach the app's tables.
import { typeOfPath } from '../../../lib/contract/inboxContract.ts';
import { type Assignment, fieldInSql, type Join, otherFields, type ResourceMapping } from './mapping.ts';
import { keyOf, literal, nameOf, rowOf, viewOf } from './sqlNames.ts';

/** Returns the function that tells whether clients write a resource. */
export const takenFunction = (written: readonly ResourceMapping[]): string =>
  `-- Whether clients write a resource.
CREATE OR REPLACE FUNCTION api_is_taken(of_resource text) RETURNS boolean LANGUAGE sql IMMUTABLE AS
  $$ SELECT of_resource IN (${written.map(({ resource }) => literal(resource)).join(', ')}) $$;`;

/** Returns the view of the rows that have a record. The consumer reads and writes it like a table. */
export function writtenView(mapping: ResourceMapping): string {
  return `CREATE VIEW api_${nameOf(mapping)} AS SELECT a.source_id, v.account, a.api_id, a.known AS api_known, a.revision AS api_revision,
  a.first_revision AS api_first_revision${mapping.fields.map(({ path }) => `,\n  v."${path}"`).join('')}
FROM ${viewOf(mapping)} v JOIN ${rowOf(mapping)} AND a.account = v.account;`;
}

/** Returns the view of the fields that are sent, with the ones that clients may write, and the type of their records in messages. */
export function fieldsView(mappings: readonly ResourceMapping[]): string {
  const rows = mappings.flatMap(({ resource, fields }) =>
    fields.map(
      ({ path, written }) =>
        `(${[resource, typeOfPath[resource], path].map(literal).join(', ')}, ${written !== undefined})`,
    ),
  );
  return `CREATE VIEW api_fields AS SELECT * FROM (VALUES ${rows.join(', ')}) AS f (resource, type, field, is_taken);`;
}

const isEdited = (path: string): string => `NEW."${path}"::text IS DISTINCT FROM OLD."${path}"::text`;

/** A column that a field writes, with the paths of this field and of others from which the value is made. */
interface Write {
  column: string;
  value: string;
  paths: readonly [own: string, ...others: string[]];
}

function writesTo({ fields }: ResourceMapping, alias: string): Write[] {
  return fields.flatMap(({ path, written = [] }) =>
    written
      .filter((assignment) => assignment.alias === alias)
      .map(({ column, sql }) => ({
        column,
        paths: [path, ...otherFields(sql)] as const,
        value: sql.replace(fieldInSql, (_, other: string = path) => `NEW."${other}"`),
      })),
  );
}

const updateOf = (table: string, alias: string, writes: readonly Write[]): string =>
  `UPDATE ${table} ${alias} SET ${writes
    .map(
      ({ column, value, paths }) =>
        `${column} = CASE WHEN ${paths.map(isEdited).join(' OR ')} THEN ${value} ELSE ${alias}.${column} END`,
    )
    .join(', ')}`;

const anyEdited = (writes: readonly Write[]): string =>
  [...new Set(writes.flatMap(({ paths }) => paths.map(isEdited)))].join(' OR ');

function writePart(mapping: ResourceMapping, { table, alias, on, values }: Join): string {
  const writes = writesTo(mapping, alias);
  if (writes.length === 0) return '';
  const row = `${mapping.table} t WHERE ${keyOf(mapping)} = of_key AND ${on}`;
  const update = `${updateOf(table, alias, writes)} FROM ${row};`;
  const isEmpty = [...new Set(writes.map(({ paths: [own] }) => `NEW."${own}" IS NULL`))].join(' AND ');
  if (values.length === 0)
    return `
  IF ${anyEdited(writes)} THEN
    ${update}
    IF NOT FOUND AND NOT (${isEmpty}) THEN
      RAISE EXCEPTION USING MESSAGE = ${literal(`The part ${table} of the mapping has no WITH, so no row is added.`)},
        ERRCODE = 'integrity_constraint_violation';
    END IF;
  END IF;`;
  const columns = [...values.map(({ column }) => column), ...writes.map(({ column }) => column)];
  const added = [...values.map(({ sql }: Assignment) => sql), ...writes.map(({ value }) => value)];
  return `
  -- Only an edit of these fields: the app may have added the row since this one was read.
  IF ${anyEdited(writes)} THEN
    IF ${isEmpty} THEN
      DELETE FROM ${table} ${alias} USING ${row};
    ELSE
      ${update}
      IF NOT FOUND THEN
        INSERT INTO ${table} (${columns.join(', ')}) SELECT ${added.join(', ')} FROM ${mapping.table} t WHERE ${keyOf(mapping)} = of_key;
      END IF;
    END IF;
  END IF;`;
}

/** Returns the trigger function that writes the edits of clients into the app's tables. */
export function writeFunction(mapping: ResourceMapping): string {
  const { resource, table, key, joins, fields } = mapping;
  const name = nameOf(mapping);
  const own = writesTo(mapping, 't');
  const parts = joins.filter(({ kind }) => kind === 'part').map((part) => writePart(mapping, part));
  const create = mapping.create?.replaceAll('$account', 'NEW.account').replaceAll('$api_id', 'NEW.api_id');
  return `CREATE OR REPLACE FUNCTION api_${name}_write() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  of_key ${table}.${key.column}%TYPE := CASE WHEN TG_OP <> 'INSERT' THEN OLD.source_id END;
BEGIN
  IF TG_OP = 'INSERT' THEN
    -- The row of this record is about to be deleted.
    IF EXISTS (SELECT FROM api_rows WHERE api_id = NEW.api_id) THEN
      RETURN NULL;
    END IF;
    ${create} INTO of_key;
    -- The account is unknown here.
    IF of_key IS NULL THEN
      RETURN NULL;
    END IF;
    INSERT INTO api_rows (resource, source_id, account, api_id) VALUES ('${resource}', of_key::text, NEW.account, NEW.api_id);
    IF NOT EXISTS (SELECT FROM api_${name} WHERE api_id = NEW.api_id) THEN
      RAISE EXCEPTION 'The create of the mapping makes a row that is hidden, or not of the account %', NEW.account;
    END IF;
    RETURN NEW;
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE api_rows SET account = NULL, api_id = NULL, known = 0 WHERE resource = '${resource}' AND source_id = OLD.source_id;
    ${mapping.delete?.replaceAll('$key', 'of_key')};
    IF EXISTS (SELECT FROM ${viewOf(mapping)} v WHERE v.row_key = of_key) THEN
      RAISE EXCEPTION 'The row % is still there after the delete of the mapping', OLD.source_id;
    END IF;
    RETURN OLD;
  END IF;
  -- What is sent next may be the same as before, and yet the record has another edit.
  UPDATE api_rows SET api_id = NEW.api_id, known = NEW.api_known, hash = NULL
    WHERE resource = '${resource}' AND source_id = OLD.source_id AND known = OLD.api_known;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  PERFORM set_config('api.taking', '${resource} ' || OLD.source_id, true);${
    own.length > 0
      ? `
  IF ${anyEdited(own)} THEN
    ${updateOf(table, 't', own)} WHERE ${keyOf(mapping)} = of_key;
  END IF;`
      : ''
  }${parts.join('')}
  PERFORM set_config('api.taking', '', true);${
    fields.some(({ written }) => !written)
      ? `
  -- A field that is only sent: the row says it again, after an edit by a client.
  INSERT INTO api_changes (resource, source_id) VALUES ('${resource}', OLD.source_id);`
      : ''
  }
  RETURN NEW;
END $$;
CREATE TRIGGER api_${name}_write INSTEAD OF INSERT OR UPDATE OR DELETE ON api_${name} FOR EACH ROW EXECUTE FUNCTION api_${name}_write();`;
}
