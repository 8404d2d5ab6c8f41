// Turns a declaration into the code that the templates of a resource lack: its fields, notes, events and examples.
import type { DeclaredField, DeclaredFields, DeclaredResource } from '../../../lib/resources/declare.ts';
import type { Field } from '../../../lib/resources/field.ts';
import { isNullable } from '../../../lib/resources/resource.ts';
import { capital, type Names } from './resourceNames.ts';

const text = (value: unknown): string => JSON.stringify(value);

/** Removes the note, which belongs in the reference and not in a bundle. */
export const plainField = ({ note: _, ...field }: DeclaredField): object =>
  field.is === 'group' || field.is === 'list'
    ? { ...field, of: plainFields(field.of as DeclaredFields) }
    : field;

const plainFields = (fields: DeclaredFields): object =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, plainField(field)]));

/** Returns true for types whose example is built from the examples of their parts. */
const isMade = ({ is }: DeclaredField): boolean => ['address', 'custom', 'group', 'list'].includes(is);

export const noteOf = (field: DeclaredField): readonly unknown[] =>
  isMade(field) ? field.note.slice(0, 1) : [field.note[0], field.note[1] ?? null];

const notesOf = (fields: DeclaredFields): object =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, noteOf(field)]));

/** Returns the components of groups and list entries, by their path. */
function partsOf(fields: DeclaredFields, name: string, path: readonly string[] = []): [string, unknown][] {
  return Object.entries(fields).flatMap(([field, declared]) => {
    if (declared.is !== 'group' && declared.is !== 'list') return [];
    const of = declared.of as DeclaredFields;
    const here = [...path, field];
    const component = name + here.map((one) => one.split('_').map(capital).join('')).join('');
    return [[here.join('.'), [component, declared.note[0], notesOf(of)]], ...partsOf(of, name, here)];
  });
}

/** Returns an example of the fields. It leaves out ids of other records, which would have to exist. */
function exampleOf(fields: DeclaredFields): Record<string, unknown> {
  const valueIn = (field: DeclaredField): unknown => {
    const of = 'of' in field ? (field.of as DeclaredFields) : {};
    if (field.is === 'group') return exampleOf(of);
    if (field.is === 'list') return [exampleOf(of)];
    return field.is === 'custom' ? { plan: 'gold' } : field.note[1];
  };
  const values = Object.entries(fields)
    .filter(([, { is }]) => is !== 'ref' && is !== 'address')
    .map(([name, field]) => [name, valueIn(field)]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== null));
}

/** Returns a name with a typical typing error. */
const misspelt = (name: string): string => `${name[0]}${name[2] ?? ''}${name[1]}${name.slice(3)}`;

/** Returns true for a field that can be null and has an example, unless it is an id. */
const isPlainOption = (field: DeclaredField): boolean =>
  !isMade(field) &&
  isNullable(field as Field) &&
  !['externalId', 'ref'].includes(field.is) &&
  field.note[1] != null;

/** Returns a patch that changes a record with the example values: it replaces a text, or clears a field. */
function patchOf(fields: DeclaredFields): Record<string, unknown> {
  const all = Object.entries(fields);
  const [text] = all.find(([, { is }]) => is === 'line' || is === 'lines') ?? [];
  const [option] = all.find(([, field]) => isPlainOption(field)) ?? [];
  return text ? { [text]: 'Another example' } : option ? { [option]: null } : { external_id: 'another-1001' };
}

/** Returns a change for the reference that sets an empty field to its example value. */
function exampleOfChange(fields: DeclaredFields) {
  const [name, field] = Object.entries(fields).find(([, one]) => isPlainOption(one)) ?? [];
  return name && field ? { before: { [name]: null }, after: { [name]: field.note[1] } } : undefined;
}

/**
 * Returns the words that the templates need, in addition to the names.
 * @param own the ids of the resource's own operations
 */
export function declaredTexts(
  { fields, writable, identifiedBy, events = {} }: DeclaredResource,
  { type, path, many, thing, Article, One }: Names,
  own: readonly string[],
) {
  const written = Object.fromEntries(Object.entries(fields).filter(([name]) => writable?.includes(name)));
  const example = exampleOf(written);
  const change = exampleOfChange(fields);
  const patch = patchOf(written);
  const updated = { what: `${Article} ${thing} was changed in a way that has no type of its own`, change };
  const ownFile = `../../resources/${path}.operations.ts`;
  const transitions = Object.entries(events).map(
    ([name, { field, becomes }]) =>
      `/* @__PURE__ */ when(${many}, ${text(field)}, ${text(becomes)}, ${text(`${type}.${name}`)})`,
  );
  return {
    fields: text(plainFields(fields)),
    writable: text(writable),
    identifiedBy: identifiedBy ? `identifiedBy: ${text(identifiedBy)},` : '',
    notes: text(notesOf(fields)).slice(1, -1),
    parts: text(Object.fromEntries(partsOf(fields, One))),
    when: transitions.length > 0 ? ', when' : '',
    transitions: `[${transitions.join(', ')}]`,
    eventTypes: Object.keys(events)
      .map((name) => `, '${type}.${name}'`)
      .join(''),
    events: text({
      [`${type}.updated`]: updated,
      ...Object.fromEntries(
        Object.entries(events).map(([name, { what, before, after }]) => [
          `${type}.${name}`,
          { what, change: { before, after } },
        ]),
      ),
    }),
    example: text(example),
    patch: text(patch),
    mistaken: text({ [misspelt(Object.keys(patch)[0] as string)]: 'An example' }),
    ownIds: own.map((id) => `, '${id}'`).join(''),
    ownOperations: own.length > 0 ? `, ...ownOperations` : '',
    ownImport: own.length > 0 ? `import { operations as ownOperations } from '${ownFile}';\n` : '',
    ownNotesImport: own.length > 0 ? `import { notes as ownNotes } from '${ownFile}';\n` : '',
    ownNotes: own.length > 0 ? 'ownNotes' : '{}',
  };
}
