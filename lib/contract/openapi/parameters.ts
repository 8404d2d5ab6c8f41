import { type AnyOperation, operations } from '../index.ts';
import type { Operation } from '../operation.ts';
import { requestHeaderNotes } from '../reference/headers.ts';
import type { AnyNotes } from '../reference/notes.ts';
import { type PathParameter, pathParameterNotes, queryNotes } from '../reference/parameters.ts';
import type { Json } from './json.ts';
import { jsonSchemaOf } from './jsonSchema.ts';

/** The pattern of ids: Crockford's base32 in lower case. */
const idPattern = (prefix: string) => `^${prefix}_[0-9a-hjkmnp-tv-z]{24}$`;

/** The schemas of the parameters in paths that are not ids of ours. */
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

const pathParameter = ([name, { thing, example }]: [string, { thing: string; example: string }]): [
  string,
  Json,
] => [
  name,
  {
    name,
    in: 'path',
    required: true,
    description: `The ${name in otherSchemas ? 'external id' : 'id'} of the ${thing}.`,
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
    const { type, ...limits } = parsed[name] as Json;
    // A query string is text, so zod's input is a text with a pattern. The document shows the number that clients mean.
    const isNumber = type === 'integer' || type === 'number';
    const schema = isNumber ? { type: 'integer', format: 'int64', ...limits } : text;
    return [name, { name, in: 'query', description, schema, example }];
  });
}

/** The query parameters that are the same in all operations that have them. The document names these, and writes the others into their operations. */
function sharedQueryParameters(): Map<string, Json> {
  const all = operations.flatMap(queryParameters);
  const isShared = ([name, parameter]: [string, Json]) =>
    all.every(([other, another]) => other !== name || JSON.stringify(another) === JSON.stringify(parameter));
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

/** The names of the parameters in an operation's path, in order. */
export const pathParametersOf = ({ path }: Operation): PathParameter[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as PathParameter);

const requestHeadersOf = ({ requestHeaders = [] }: Operation) => requestHeaders;

/** The parameters of an operation: path, query and headers. */
export const parametersOf = (operation: AnyOperation): Json[] => [
  ...pathParametersOf(operation).map(refTo),
  ...queryParameters(operation).map(([name, parameter]) => (shared.has(name) ? refTo(name) : parameter)),
  ...requestHeadersOf(operation).map(refTo),
];
