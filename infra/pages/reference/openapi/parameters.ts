import { type AnyOperation, operations } from '../../../../lib/contract/index.ts';
import type { AnyNotes } from '../../../../lib/resources/notes.ts';
import type { Operation } from '../../../../lib/resources/operation.ts';
import { wordMax, wordsMax } from '../../../../lib/schemas/filters.ts';
import { timeMax } from '../../../../lib/schemas/times.ts';
import { requestHeaderNotes } from '../prose/headers.ts';
import {
  type PathParameter,
  type PathParameterNote,
  pathParameterNotes,
  queryNotes,
} from '../prose/parameters.ts';
import { knownIn, typeFirst } from './componentSchema.ts';
import type { Json } from './jsonSchema.ts';
import { jsonSchemaOf, knownWords } from './jsonSchema.ts';

/** The pattern of ids: Crockford's base32 in lower case. */
const idPattern = (prefix: string) => `^${prefix}_[0-9a-hjkmnp-tv-z]{24}$`;

/** The schemas of path parameters that are not ids of ours. */
const otherSchemas: Record<string, Json> = Object.assign(
  {},
  ...operations.map(({ params }: Operation) => (params ? jsonSchemaOf(params(), 'input').properties : {})),
);

const idSchema = (example: string): Json => ({
  type: 'string',
  pattern: idPattern(example.split('_')[0] as string),
  minLength: example.length,
  maxLength: example.length,
});

const pathParameter = ([name, { thing, by, example }]: [string, PathParameterNote]): [string, Json] => [
  name,
  {
    name,
    in: 'path',
    required: true,
    description: `The ${by} of the ${thing}.`,
    schema: otherSchemas[name] ?? idSchema(example),
    example,
  },
];

/** The parameters of an operation's query. */
function queryParameters(operation: AnyOperation): [name: string, parameter: Json][] {
  if (!('query' in operation)) return [];
  const notes: AnyNotes = queryNotes[operation.id];
  const sent = jsonSchemaOf(operation.query(), 'input').properties as Record<string, Json>;
  const parsed = jsonSchemaOf(operation.query(), 'output').properties as Record<string, Json>;
  return Object.entries(sent).map(([name, text]) => {
    const [description, example] = notes[name] ?? [];
    const form = formOf(text, parsed[name] as Json);
    const more = knownIn(form.schema);
    return [name, { name, in: 'query', description: [description, ...more].join(' '), ...form, example }];
  });
}

/**
 * Returns the form of a parameter. A query string is text, so zod's input is a text with a pattern. The document shows the number, the list or
 * the time that clients mean.
 */
function formOf(
  sent: Json,
  { type, format, ...limits }: Json,
): { schema: Json; style?: 'form'; explode?: boolean } {
  const { knownWords: words, listed, ...text } = sent;
  const inOneText = { style: 'form', explode: false } as const;
  if (listed) {
    const { maxItems, items } = listed as { maxItems: number; items: Json };
    return {
      schema: { type: 'array', minItems: 1, maxItems, items: { type: 'string', ...items } },
      ...inOneText,
    };
  }
  if (words) {
    const word = {
      type: 'string',
      pattern: (words as string[]).some((one) => one.includes('.')) ? '^[a-z_.]+$' : '^[a-z_]+$',
      minLength: 1,
      maxLength: wordMax,
      [knownWords]: words,
    };
    return {
      schema: { type: 'array', minItems: 1, maxItems: wordsMax, items: word },
      ...inOneText,
    };
  }
  if (sent.type === 'array') return { schema: typeFirst(sent), style: 'form', explode: true };
  if (type === 'integer' || type === 'number')
    return { schema: { type: 'integer', format: 'int64', ...limits } };
  if (type === 'boolean') return { schema: { type } };
  // A time in a request may have an offset, and any fraction of a second.
  if (format === 'date-time') return { schema: { type: 'string', format, maxLength: timeMax } };
  return { schema: typeFirst(text) };
}

/** Returns the query parameters that are identical in several operations. The document names these, and writes the others into their operations. */
function sharedQueryParameters(): Map<string, Json> {
  const all = operations.flatMap(queryParameters);
  const isShared = ([name, parameter]: [string, Json]) => {
    const same = all.filter(([other]) => other === name);
    return same.length > 1 && same.every(([, other]) => JSON.stringify(other) === JSON.stringify(parameter));
  };
  return new Map(all.filter(isShared));
}

const shared = sharedQueryParameters();

const headerParameters = (): [string, Json][] =>
  Object.entries(requestHeaderNotes).map(([name, note]) => [name, { name, in: 'header', ...note }]);

export const parameters: Record<string, Json> = Object.fromEntries([
  ...shared,
  ...Object.entries(pathParameterNotes).map(pathParameter),
  ...headerParameters(),
]);

const refTo = (name: string): Json => ({ $ref: `#/components/parameters/${name}` });

/** Returns the names of the parameters in an operation's path, in order. */
export const pathParametersOf = ({ path }: Operation): PathParameter[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as PathParameter);

const requestHeadersOf = ({ requestHeaders = [] }: Operation) => requestHeaders;

/** Returns the parameters of an operation: path, query and headers. */
export const parametersOf = (operation: AnyOperation): Json[] => [
  ...pathParametersOf(operation).map(refTo),
  ...queryParameters(operation).map(([name, parameter]) => (shared.has(name) ? refTo(name) : parameter)),
  ...requestHeadersOf(operation).map(refTo),
];
