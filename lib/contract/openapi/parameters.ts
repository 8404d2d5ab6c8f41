import type { Operation } from '../operation.ts';
import { requestHeaderNotes } from '../reference/headers.ts';
import { type PathParameter, pathParameterNotes, queryParameterNotes } from '../reference/parameters.ts';
import { pageQuery } from '../values/lists.ts';
import type { Json } from './json.ts';
import { jsonSchemaOf } from './jsonSchema.ts';

/** Crockford's base32 in lower case, as ids are made of. */
const idPattern = (prefix: string) => `^${prefix}_[0-9a-hjkmnp-tv-z]{24}$`;

const pathParameter = ([name, { thing, example }]: [string, { thing: string; example: string }]): [
  string,
  Json,
] => [
  name,
  {
    name,
    in: 'path',
    required: true,
    description: `The id of the ${thing}.`,
    schema: {
      type: 'string',
      pattern: idPattern(example.split('_')[0] as string),
      minLength: example.length,
      maxLength: example.length,
    },
    example,
  },
];

/** A query string is text, and the schema of one makes numbers of it: those are what a client thinks of. */
function queryParameters(): [string, Json][] {
  const { properties } = jsonSchemaOf(pageQuery(), 'output') as { properties: Record<string, Json> };
  return Object.entries(properties).map(([name, { type: _, ...limits }]) => [
    name,
    {
      name,
      in: 'query',
      description: queryParameterNotes[name],
      schema: { type: 'integer', format: 'int64', ...limits },
      example: limits.default,
    },
  ]);
}

const headerParameters = (): [string, Json][] =>
  Object.entries(requestHeaderNotes).map(([name, note]) => [name, { name, in: 'header', ...note }]);

export const parameters: Record<string, Json> = Object.fromEntries([
  ...queryParameters(),
  ...Object.entries(pathParameterNotes).map(pathParameter),
  ...headerParameters(),
]);

const refTo = (name: string): Json => ({ $ref: `#/components/parameters/${name}` });

/** The names of the parameters in an operation's path, in their order. */
export const pathParametersOf = ({ path }: Operation): PathParameter[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as PathParameter);

/** All that an operation takes beside its body. */
export const parametersOf = (operation: Operation): Json[] => [
  ...pathParametersOf(operation).map(refTo),
  ...(operation.query ? queryParameters().map(([name]) => refTo(name)) : []),
  ...(operation.requestHeaders ?? []).map(refTo),
];
