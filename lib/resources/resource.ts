// The parts of a resource that need no schema: the order of its fields, their default values, and its filters.
import { blankAddress } from '../schemas/addresses.ts';
import { emailForm, phoneForm } from '../schemas/texts.ts';
import type { Collection, IndexedFields, Layout, Stored } from './collection.ts';
import type { Field, Fields, OptionalOf, RecordOf, ValuesOf } from './field.ts';
import type { Resource, ResourceType } from './index.ts';

export interface Declared<Type extends ResourceType, F extends Fields, W extends keyof F & string> {
  /** The type's name in keys and events. With spaces, it is the resource's name in messages. */
  type: Type;
  prefix: Resource<Type>['prefix'];
  /** The most bytes of a record in a response, if this exceeds the usual limit. */
  bytesMax?: number;
  fields: F;
  /** The fields that clients may write. All other fields belong to your app, and a request with one of them is refused. */
  writable?: readonly W[];
  /** A record that a client creates must have at least one of these fields. Otherwise nobody could identify it. */
  identifiedBy?: readonly W[];
}

/** The metadata that defines a resource. `W` contains the names of the fields that clients may write. */
export interface Shaped<F extends Fields = Fields, W extends string = string> {
  prefix: string;
  fields: F;
  writable?: readonly W[] | undefined;
  identifiedBy?: readonly string[] | undefined;
}

type Blanks<F extends Fields> = Pick<ValuesOf<F>, OptionalOf<F>>;

/** Declares a resource. Returns the collection of its records, with their exact type. */
export function resource<
  const Type extends ResourceType,
  const F extends Fields,
  const W extends keyof F & string = never,
>({ type, prefix, bytesMax, fields, writable, identifiedBy }: Declared<Type, F, W>) {
  return {
    type,
    prefix,
    layout: { id: null, ...mapped(fields, layoutOf), version: null, created_at: null, updated_at: null },
    blank: blanksOf(fields),
    bytesMax,
    filters: filtersOf(fields),
    fields,
    writable,
    identifiedBy,
  } as unknown as Omit<Collection<RecordOf<F> & Stored, Type>, 'blank'> & { blank: Blanks<F> } & Shaped<F, W>;
}

/**
 * Declares an event: the field gets one of these values, or grows. Another field or value does not compile.
 * @returns a transition
 */
export const when = <const F extends Fields, Name extends keyof F & string, const Event extends string>(
  _: Shaped<F>,
  field: Name,
  becomes: readonly ValuesOf<F>[Name][] | (ValuesOf<F>[Name] extends number ? 'more' : never),
  event: Event,
) => [event, field, becomes] as const;

export const mapped = <Value>(fields: Fields, of: (field: Field, name: string) => Value) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, of(field, name)]));

function layoutOf(field: Field): Layout {
  if (field.is === 'address') return blankAddress;
  if (field.is === 'custom') return 'by name';
  if (field.is === 'list') return [mapped(field.of, layoutOf)];
  return field.is === 'group' ? mapped(field.of, layoutOf) : null;
}

/** Returns the value of a field that is left out; `undefined` for a required field. */
export function blankOf(field: Field): unknown {
  if (field.required) return undefined;
  if ('default' in field) return field.default;
  switch (field.is) {
    case 'list':
    case 'tags':
      return [];
    case 'custom':
      return {};
    case 'flag':
      return false;
    case 'amount':
    case 'signed':
    case 'quantity':
      return 0;
    case 'group': {
      const inner = blanksOf(field.of);
      return Object.keys(inner).length === Object.keys(field.of).length ? inner : null;
    }
    default:
      return null;
  }
}

/** Returns whether a field without a value is null. */
export const isNullable = (field: Field): boolean => blankOf(field) === null;

export const blanksOf = <F extends Fields>(fields: F): Blanks<F> =>
  Object.fromEntries(
    Object.entries(mapped(fields, blankOf)).filter(([, value]) => value !== undefined),
  ) as Blanks<F>;

/** Returns the fields that clients may write. */
export const writableOf = ({ fields, writable = [] }: Shaped): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => writable.includes(name)));

/** Yields the fields with a filter, including those in groups: the name of the filter, and the path of the value. */
export function* filtered(
  fields: Fields,
  path: readonly string[] = [],
): Generator<{ name: string; path: readonly string[]; field: Field }> {
  for (const [name, field] of Object.entries(fields)) {
    const here = [...path, name];
    if ('filter' in field)
      yield {
        name: ('as' in field && field.as) || here.join('_').replace(suffixes[field.is] ?? '', ''),
        path: here,
        field,
      };
    if (field.is === 'group') yield* filtered(field.of, here);
  }
}

/** The ending that the name of a filter drops: `placed_since` filters `placed_at`, and `tag` filters `tags`. */
const suffixes: { [Kind in Field['is']]?: RegExp } = { time: /_at$/, tags: /s$/ };

const valueAt = (record: unknown, path: readonly string[]): unknown =>
  path.reduce((value, name) => (value as Record<string, unknown> | null)?.[name] ?? null, record);

/** Returns the form in which values of a kind are compared. */
const folds: { [Kind in Field['is']]?: (value: string) => string } = {
  email: emailForm,
  phone: phoneForm,
  line: (value) => value.toLowerCase(),
};

function filtersOf(fields: Fields): IndexedFields<object> {
  const all = [...filtered(fields)];
  return {
    values: all
      .filter(({ field }) => field.is !== 'time')
      .map(({ name, path, field }) => ({
        name,
        source: `${path.join('.')} ${field.is}`,
        valuesOf: (record) => [valueAt(record, path)].flat() as (string | null)[],
        ...(folds[field.is] && { fold: folds[field.is] }),
        ...(field.is === 'enum' && { isEnumeration: true }),
        ...(field.is !== 'enum' && field.is !== 'tags' && !('common' in field) && { isSelective: true }),
      })),
    times: all
      .filter(({ field }) => field.is === 'time')
      .map(({ name, path }) => ({
        name,
        source: path.join('.'),
        timeOf: (record) => valueAt(record, path) as string | null,
      })),
  };
}
