import type * as z from 'zod';
import type { Operation } from '../contract/operation.ts';
import { problemsOf } from '../contract/problems.ts';
import { badRequest } from '../errors.ts';
import type { ApiEvent, Middleware } from './event.ts';

/**
 * Adds `input`: the path's parameters, and the query and the body as the operation's schemas read them.
 * @throws ApiError 400 that names every problem of the query and of the body at once
 */
export const parseInput = ({ query, body }: Operation): Middleware => ({
  before: function parseInputBefore({ event }) {
    const [queryValue, queryProblems] = parseQuery(event, query?.());
    const bodyResult = body?.().safeParse(event.body);
    const problems = [...queryProblems, ...problemsOf(bodyResult?.error)];
    if (problems.length > 0) throw badRequest(problems);
    event.input = { params: paramsOf(event), query: queryValue, body: bodyResult?.data };
  },
});

function parseQuery(event: ApiEvent, schema: z.ZodType | undefined): [value: unknown, problems: string[]] {
  const given = Object.entries(event.multiValueQueryStringParameters ?? {});
  const repeated = given.filter(([, values]) => (values?.length ?? 0) > 1).map(([name]) => name);
  if (repeated.length > 0)
    return [undefined, repeated.map((name) => `${name.slice(0, 64)} must be given once`)];
  if (!schema)
    return [
      undefined,
      given.map(([name]) => `${name.slice(0, 64)} is not known here (no parameter is allowed)`),
    ];
  const result = schema.safeParse(Object.fromEntries(given.map(([name, values]) => [name, values?.[0]])));
  return [result.data, problemsOf(result.error)];
}

/** The path's parameters, decoded. What cannot be decoded stays as it is: it is the id of nothing. */
function paramsOf({ pathParameters }: ApiEvent): Record<string, string> {
  return Object.fromEntries(
    Object.entries(pathParameters ?? {}).map(([name, value = '']) => [name, decoded(value)]),
  );
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
