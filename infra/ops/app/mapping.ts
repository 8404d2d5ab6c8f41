import { type ResourcePath, resourcePaths, typeOfPath } from '../../../lib/contract/inboxContract.ts';
import { collectionOf } from '../../../lib/resources/collections.ts';
import { isObject } from '../../../lib/schemas/json.ts';
import { type LinkField, linkTerms } from '../../../lib/schemas/mergeTerms.ts';
import { OpsError } from '../../terminal/opsError.ts';

// A mapping says, in one line for each field, where the tables of an app hold what the API shows. docs/adopt.md explains it.

/** A value that is written into a column of the table with an alias. */
export interface Assignment {
  alias: string;
  column: string;
  sql: string;
}

/** Another table that a record takes fields from. */
export interface Join {
  /** Records share the row of a `lookup`; a `part` belongs to one record; a `list` has a row for each entry of a list. */
  kind: 'lookup' | 'part' | 'list';
  table: string;
  alias: string;
  on: string;
  /** For a `list`: the field that it fills, such as `line_items`. */
  field?: string;
  /** For a `part`: the values of a row that a client's edit adds. Without them, no row is added. */
  values: Assignment[];
}

export interface Field {
  /** Such as `email`, `address.city`, `custom_fields.points` or `line_items.quantity`. */
  path: string;
  /** The SQL expression of its value. */
  sent: string;
  /** How an edit by a client is written; undefined when the field is only sent. `$` is the new value. */
  written?: Assignment[];
}

/** What a mapping says of one resource. In its SQL, `t` is the row of `table`. */
export interface ResourceMapping {
  resource: ResourcePath;
  table: string;
  /** The column of the primary key, and its type. */
  key: { column: string; type: string };
  account: string;
  hidden?: string;
  /** Adds the row of a record that a client created, and returns its key. Without it, clients do not write the resource. */
  create?: string;
  delete?: string;
  /** The columns of other tables that name a contact, as `table.column`. */
  moves: string[];
  joins: Join[];
  fields: Field[];
}

const name = String.raw`(?:"[^"]+"|\w+)`;
const forms = {
  resource: /^\[([a-z-]+)\]\s+(\S+)$/,
  key: new RegExp(String.raw`^key\s+t\.(${name})\s+(.+)$`),
  term: /^(account|hidden|create|delete)\s+(?!<-)(.+)$/,
  moves: /^moves\s+(?!<-)(.+)$/,
  join: /^(lookup|part)\s+(\S+)\s+(\w+)\s+ON\s+(.+?)(?:\s+WITH\s+(.+))?$/,
  list: /^list\s+(\w+)\s+(\S+)\s+(\w+)\s+ON\s+(.+)$/,
  field: /^([a-z_0-9.]+)\s+(<->|<-)\s+(.+?)(?:\s+->\s+(.+))?$/,
  column: new RegExp(String.raw`^(\w+)\.(${name})$`),
  assignment: new RegExp(String.raw`^(?:(\w+)\.)?(${name})\s*=\s*(.+)$`),
};

/** Reads the text of a mapping. @throws OpsError that names the line */
export function readMapping(text: string): ResourceMapping[] {
  const mappings: ResourceMapping[] = [];
  for (const { line, number } of wholeLines(text)) {
    const refuse = (why: string): never => {
      throw new OpsError(`Line ${number} of the mapping ${why}: ${line}`);
    };
    const [, resource, table] = forms.resource.exec(line) ?? [];
    if (resource && table) {
      if (!isResource(resource))
        refuse(`names a resource that the API does not have (${resourcePaths.join(', ')})`);
      const key = { column: '', type: '' };
      mappings.push({
        resource: resource as ResourcePath,
        table,
        key,
        account: '',
        moves: [],
        joins: [],
        fields: [],
      });
      continue;
    }
    const mapping = mappings.at(-1) ?? refuse('comes before the first [resource] table');
    if (!readLine(mapping, line, refuse))
      refuse('is none of key, account, hidden, lookup, part, list, create, delete, moves, or a field');
  }
  for (const mapping of mappings) requireTerms(mapping);
  if (mappings.length === 0) throw new OpsError('The mapping has no line such as "[contacts] people".');
  return mappings;
}

/** Joins continued lines, which begin with a blank, and leaves out comments, which begin with `# `, `#?` or `#!`. */
function wholeLines(text: string): { line: string; number: number }[] {
  const lines: { line: string; number: number }[] = [];
  for (const [i, written] of text.split('\n').entries()) {
    const line = written.replace(/(^|\s)#(?=[\s?!]|$).*$/, '').trimEnd();
    const last = lines.at(-1);
    if (/^\s+\S/.test(line) && last) last.line += ` ${line.trim()}`;
    else if (line.trim() !== '') lines.push({ line: line.trim(), number: i + 1 });
  }
  return lines;
}

/** @returns whether the line has one of the forms */
function readLine(mapping: ResourceMapping, line: string, refuse: (why: string) => never): boolean {
  const [, keyColumn, type] = forms.key.exec(line) ?? [];
  const [, term, sql] = forms.term.exec(line) ?? [];
  const [, moves] = forms.moves.exec(line) ?? [];
  const [, kind, joined, alias, on, values] = forms.join.exec(line) ?? [];
  const [, listField, listed, entry, listOn] = forms.list.exec(line) ?? [];
  const [, path, arrow, sent = '', written] = forms.field.exec(line) ?? [];
  const assignments = (text: string, target = '') => {
    const all = splitList(text).map((part) => forms.assignment.exec(part));
    return all.map((match) => {
      if (!match) return refuse('has an assignment that is not column = value');
      return { alias: match[1] ?? target, column: match[2] as string, sql: match[3] as string };
    });
  };
  if (keyColumn && type) mapping.key = { column: keyColumn, type };
  else if (term && sql) mapping[term as 'account' | 'hidden' | 'create' | 'delete'] = sql;
  else if (moves) mapping.moves.push(...splitList(moves));
  else if (kind && joined && alias && on)
    mapping.joins.push({
      kind: kind as 'lookup' | 'part',
      table: joined,
      alias,
      on,
      values: values ? assignments(values, alias) : [],
    });
  else if (listField && listed && entry && listOn)
    mapping.joins.push({
      kind: 'list',
      field: listField,
      table: listed,
      alias: entry,
      on: listOn,
      values: [],
    });
  else if (path) {
    const [, from, column] = forms.column.exec(sent) ?? [];
    if (arrow === '<->' && !(from && column))
      refuse('has <-> without a column: write <- expression -> t.column = $');
    const own = arrow === '<->' && from && column ? [{ alias: from, column, sql: '$' }] : undefined;
    const assigned = written ? assignments(written) : own;
    const problem = fieldProblem(mapping, path, assigned);
    if (problem !== undefined) refuse(problem);
    mapping.fields.push({ path, sent, ...(assigned ? { written: assigned } : {}) });
  } else return false;
  return true;
}

const isResource = (resource: string): resource is ResourcePath => Object.hasOwn(typeOfPath, resource);

/** Returns true if clients edit the parts of a field one by one: those of an address or another object, and custom fields. */
function hasParts(resource: ResourcePath, path: string): boolean {
  const layout = (collectionOf(typeOfPath[resource]).layout as Record<string, unknown>)[path];
  return layout === 'by name' || (isObject(layout) && !Array.isArray(layout));
}

/** Why a line of a field would lose what clients write, or could not be written. */
function fieldProblem(
  { resource, fields }: ResourceMapping,
  path: string,
  assigned: readonly Assignment[] = [],
): string | undefined {
  if (path.split('.').length > 2)
    return 'names a part of a part: only one dot is possible, also in the name of a custom field';
  if (assigned.length > 0 && Object.hasOwn(linkTerms, path))
    return `takes an id of the API: write ${linkTerms[path as LinkField]} <-> and the column with the key of your row`;
  if (assigned.length > 0 && hasParts(resource, path))
    return `is written as a whole, but clients edit parts of it: write a line for each, such as ${path}.NAME <-> …`;
  if (fields.some((other) => other.path.startsWith(`${path}.`) || path.startsWith(`${other.path}.`)))
    return 'names a whole of which another line names a part';
  const twice = assigned.find(({ alias, column }) =>
    fields.some(({ written = [] }) => written.some((one) => one.alias === alias && one.column === column)),
  );
  return (
    twice && `writes ${twice.alias}.${twice.column}, and so does an earlier line: one column takes one field`
  );
}

/** A field in the SQL of an assignment: `$` is its own, and `$currency` or `$ticket.currency` another one. */
export const fieldInSql = /\$([a-z]\w*(?:\.\w+)?)?/g;

export const otherFields = (sql: string): string[] =>
  [...sql.matchAll(fieldInSql)].flatMap(([, name]) => name ?? []);

function requireTerms(mapping: ResourceMapping): void {
  const { resource, key, account, create, delete: deletion, moves, joins, fields } = mapping;
  const writes = fields.flatMap(({ written = [] }) => written);
  const isTaken = resource === 'contacts' || create || deletion || writes.length > 0;
  const missing = [
    ...(key.column ? [] : ['key']),
    ...(account ? [] : ['account']),
    ...(isTaken && !create ? ['create'] : []),
    ...(isTaken && !deletion ? ['delete'] : []),
    ...(fields.length > 0 ? [] : ['field']),
  ];
  if (missing.length > 0) throw new OpsError(`[${resource}] of the mapping has no ${missing.join(', no ')}.`);
  const unknown = writes
    .flatMap(({ sql }) => otherFields(sql))
    .find((other) => !fields.some(({ path }) => path === other));
  if (unknown)
    throw new OpsError(`[${resource}] of the mapping writes $${unknown}, which is none of its fields.`);
  const twice = ['account', 'source_id', 'api_id'].find((name) => fields.some(({ path }) => path === name));
  if (isTaken && twice)
    throw new OpsError(`[${resource}] of the mapping has ${twice}, but its view has a column of this name.`);
  if (resource !== 'contacts' && moves.length > 0)
    throw new OpsError(`[${resource}] of the mapping has moves, but only contacts are merged.`);
  const parts = joins.filter(({ kind }) => kind === 'part').map(({ alias }) => alias);
  const lost = writes.find(({ alias }) => !['t', ...parts].includes(alias));
  if (lost)
    throw new OpsError(
      `[${resource}] of the mapping writes ${lost.alias}.${lost.column}, but clients can only change t and the row of a part.`,
    );
}

/** Splits SQL at its commas, but not within quotes or parentheses. */
function splitList(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const [token] of text.matchAll(/'[^']*'|"[^"]*"|[^'"]/g)) {
    depth += token === '(' ? 1 : token === ')' ? -1 : 0;
    if (token === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += token;
  }
  return parts.map((part) => part.trim());
}
