// Finds mistakes in a declaration. `npm start` does not check types, and would otherwise end with an error in generated code.
import * as z from 'zod';
import { ofServer } from '../../../lib/resources/collection.ts';
import type {
  AddedFields,
  DeclaredField,
  DeclaredFields,
  DeclaredResource,
} from '../../../lib/resources/declare.ts';
import type { Field, Fields } from '../../../lib/resources/field.ts';
import { queryOf } from '../../../lib/resources/listQuery.ts';
import { filtered } from '../../../lib/resources/resource.ts';
import { isObject } from '../../../lib/schemas/json.ts';
import { problemsOf } from '../../../lib/schemas/problemMessages.ts';

/** The filter that each type can have, and the type of its example. A type that is missing here does not compile. */
const kinds: Readonly<
  Record<Field['is'], { filter?: string; example?: 'string' | 'number' | 'boolean' | 'object' }>
> = {
  line: { filter: 'exact', example: 'string' },
  lines: { example: 'string' },
  email: { filter: 'exact', example: 'string' },
  phone: { filter: 'exact', example: 'string' },
  locale: { example: 'string' },
  timezone: { example: 'string' },
  currency: { example: 'string' },
  url: { example: 'string' },
  time: { filter: 'range', example: 'string' },
  ref: { filter: 'exact', example: 'string' },
  externalId: { example: 'string' },
  id: { filter: 'exact', example: 'string' },
  amount: { example: 'number' },
  signed: { example: 'number' },
  quantity: { example: 'number' },
  flag: { example: 'boolean' },
  tags: { filter: 'all', example: 'object' },
  enum: { filter: 'any', example: 'string' },
  address: {},
  custom: {},
  answer: {},
  group: {},
  list: {},
};

const names = Object.keys(kinds) as [Field['is'], ...Field['is'][]];

const form = (shape: RegExp, rule: string) => z.string().regex(shape, `must be ${rule}`);
const plainName = /^[a-z_]{1,40}$/;
const nameForm = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
export const kebab = form(/^[a-z]+(-[a-z]+)*$/, 'words of a-z with - between them');

const list = (what: string) => z.array(z.string(), { error: `must be a list of ${what}` }).min(1);

const strict = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? `is not known here (allowed: ${Object.keys(shape).join(', ')})`
        : undefined,
  });

const field = strict({
  is: z.enum(names, { error: `must be one of ${names.join(', ')}` }),
  required: z.literal(true).optional(),
  filter: z.string().optional(),
  as: z.string().optional(),
  common: z.literal(true).optional(),
  to: z.string().optional(),
  of: z.unknown().optional(),
  default: z.string().optional(),
  max: z.int().min(1).optional(),
  unique: z.string().optional(),
  note: z.tuple([z.string().min(1)], z.unknown(), {
    error: 'must be a list: a sentence for the reference, and an example',
  }),
});

const becomes = z.union([z.literal('more'), z.array(z.unknown()).min(1)], {
  error: 'must be a list of values, or "more"',
});

const events = z.record(
  z.string(),
  strict({
    field: z.string(),
    becomes,
    what: z.string(),
    before: z.looseObject({}),
    after: z.looseObject({}),
  }),
);

export const addedFields = strict({
  fields: z.unknown().optional(),
  writable: list('fields').optional(),
});

export const declaredResource = strict({
  one: kebab,
  prefix: form(/^[a-z]{2,5}$/, '2 to 5 letters of a-z'),
  fields: z.unknown().optional(),
  writable: list('fields').optional(),
  identifiedBy: list('fields').optional(),
  deletable: z.boolean().optional(),
  events: events.optional(),
});

/** @param prefixes of the existing resources */
function fieldProblems(fields: unknown, path: string, prefixes: readonly string[]): string[] {
  if (!isObject(fields) || Object.keys(fields).length === 0) return [`${path} must be an object with fields`];
  return Object.entries(fields).flatMap(([name, one]) => {
    const at = `${path}.${name}`;
    if (!nameForm.test(name)) return [`${at} must be named by words of a-z and 0-9 with _ between them`];
    const { error } = field.safeParse(one);
    if (error) return problemsOf(error).map((problem) => `${at}.${problem}`);
    return kindProblems(one as DeclaredField, at, prefixes);
  });
}

function kindProblems(one: DeclaredField, at: string, prefixes: readonly string[]): string[] {
  const { is, note } = one;
  const { filter, of, to, max } = one as { filter?: string; of?: unknown; to?: string; max?: number };
  const kind = kinds[is];
  const problems: string[] = [];
  if (filter !== undefined && filter !== kind.filter)
    problems.push(
      kind.filter
        ? `${at}.filter must be ${kind.filter}, the filter of the kind ${is}`
        : `${at}.filter must be left out: the kind ${is} has no filter`,
    );
  const values: unknown[] = Array.isArray(of) ? of : [];
  if (is === 'enum') {
    if (
      values.length === 0 ||
      values.some((value) => !plainName.test(String(value))) ||
      new Set(values).size < values.length
    )
      problems.push(
        `${at}.of must be a list of different values of a-z and _, each of at most 40 characters`,
      );
    const preset = 'default' in one ? one.default : undefined;
    if (preset !== undefined && !values.includes(preset))
      problems.push(`${at}.default must be one of ${values.join(', ')}`);
    if (!values.includes(note[1]))
      problems.push(`${at}.note must have one of ${values.join(', ')} as its example`);
  } else if (is === 'group' || is === 'list') problems.push(...fieldProblems(of, `${at}.of`, prefixes));
  else if (of !== undefined) problems.push(`${at}.of must be left out for the kind ${is}`);
  if (is === 'list' && max === undefined)
    problems.push(`${at}.max must be the most entries that it can have`);
  if (is === 'ref' && !prefixes.includes(String(to)))
    problems.push(`${at}.to must be the prefix of a resource: ${prefixes.join(', ')}`);
  if (is !== 'enum' && kind.example && typeof note[1] !== kind.example)
    problems.push(
      `${at}.note must have an example as its second part: ${kind.example === 'object' ? 'a list' : `a ${kind.example}`}`,
    );
  return problems;
}

function parameterProblems(fields: Fields): string[] {
  // The parameters that every list has.
  const taken = new Set(Object.keys(queryOf({ prefix: '', fields: {} })().shape));
  return [...filtered(fields)].flatMap(({ name, path, field: { is } }) => {
    const own = is === 'time' ? [`${name}_since`, `${name}_before`] : [name];
    const found = own.filter((one) => taken.has(one));
    for (const one of own) taken.add(one);
    return found.map(
      (one) => `fields.${path.join('.')} has a filter whose parameter ${one} is taken: name it with "as"`,
    );
  });
}

const numbers: readonly string[] = ['amount', 'signed', 'quantity'];

function eventProblems({
  fields,
  events: declared = {},
}: Pick<DeclaredResource, 'fields' | 'events'>): string[] {
  return Object.entries(declared).flatMap(([name, { field: of, becomes: values }]) => {
    const at = `events.${name}`;
    const one = fields[of];
    if (!plainName.test(name) || ['created', 'updated', 'deleted'].includes(name))
      return [`${at} must have a name of a-z and _ that is not created, updated or deleted`];
    if (!one) return [`${at}.field is ${of}, which is no field`];
    if (values === 'more')
      return numbers.includes(one.is) ? [] : [`${at}.becomes can be "more" for ${numbers.join(', ')} alone`];
    const allowed: readonly unknown[] | undefined =
      one.is === 'enum' ? (one.of as readonly unknown[]) : undefined;
    return values
      .filter((value) => allowed && !allowed.includes(value))
      .map((value) => `${at}.becomes has ${value}, which is not one of ${allowed?.join(', ')}`);
  });
}

interface World {
  prefixes: readonly string[];
  /** The fields that a resource of the package already has. */
  already?: Fields;
}

/** Finds mistakes that show only when properties are compared with each other. */
function mistakesIn(
  {
    one,
    fields,
    writable,
    identifiedBy = [],
    deletable,
    events: declared,
  }: DeclaredResource | (AddedFields & Partial<DeclaredResource>),
  { already = {} }: World,
): string[] {
  const unknown = (listed: readonly string[], where: string) =>
    listed.filter((each) => !(each in fields)).map((each) => `${where} has ${each}, which is no field`);
  const required = Object.keys(fields).filter((each) => fields[each]?.required);
  const closed = writable && one ? required.filter((each) => !writable.includes(each)) : [];
  return [
    ...[...ofServer, ...Object.keys(already)]
      .filter((each) => each in fields)
      .map((each) => `fields.${each} is there already: leave it out, or choose another name`),
    ...unknown(writable ?? [], 'writable'),
    ...unknown(identifiedBy, 'identifiedBy'),
    ...(deletable && !writable ? ['deletable needs writable: clients delete what they write'] : []),
    ...closed.map(
      (each) => `fields.${each} is required, so clients must be able to write it: add it to writable`,
    ),
    ...(one ? [] : required).map(
      (each) => `fields.${each} cannot be required: the records that are stored already lack it`,
    ),
    ...eventProblems({ fields, ...(declared ? { events: declared } : {}) }),
    ...parameterProblems({ ...already, ...(fields as Fields) }),
  ];
}

/** Returns the problems of a declaration, each with what is allowed. */
export function problemsIn(declared: unknown, schema: z.ZodType, world: World): string[] {
  if (declared === undefined) return ['it has no default export: export defineResource(…) or addFields(…)'];
  const { error } = schema.safeParse(declared);
  if (error) return problemsOf(error);
  const { fields } = declared as { fields: DeclaredFields };
  const problems = fieldProblems(fields, 'fields', world.prefixes);
  return problems.length > 0 ? problems : mistakesIn(declared as DeclaredResource, world);
}
