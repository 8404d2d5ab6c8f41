import type * as z from 'zod';
import { badRequest } from '../apiError.ts';
import type { BaseOperation } from '../contract/operation.ts';
import { inputProblems } from '../contract/values/inputProblems.ts';
import { isObject } from '../contract/values/json.ts';
import { shown } from '../contract/values/problemMessages.ts';
import { type Problem, problemOf, problemOfNoField } from '../problem.ts';
import type { ApiEvent, Input, Middleware } from './event.ts';
import { queryOf } from './links/urls.ts';

/** The result of a schema. The value counts only when there are no problems. */
interface ParseResult {
  value?: unknown;
  problems: Problem[];
}

/**
 * Adds `input`: the path's parameters, and the query and the body as the operation's schemas read them.
 * @throws ApiError 400 that names all problems of the request at once
 */
export const parseInput = ({ params, query, body }: BaseOperation): Middleware => ({
  before: function parseInputBefore({ event }) {
    const before = event.problems ?? [];
    const parsedParams = parseParams(paramsOf(event), params?.());
    const parsedQuery = parseQuery(event, query?.());
    // A body that could not be parsed is still a string, or no object: its fields cannot be checked.
    const parsedBody = isObject(event.body) ? parseBody(event, body?.()) : { problems: [] };
    const problems = [...before, ...parsedParams.problems, ...parsedQuery.problems, ...parsedBody.problems];
    if (problems.length > 0) throw badRequest(problems);
    event.input = {
      params: parsedParams.value as Input['params'],
      query: parsedQuery.value,
      body: parsedBody.value,
    };
  },
});

function parseParams(params: Input['params'], schema: z.ZodType | undefined): ParseResult {
  if (!schema) return { value: params, problems: [] };
  const result = schema.safeParse(params);
  return { value: result.data, problems: inputProblems(schema, result.error?.issues) };
}

function parseBody({ body }: ApiEvent, schema: z.ZodType | undefined): ParseResult {
  if (!schema) return { problems: [] };
  const result = schema.safeParse(body);
  return { value: result.data, problems: inputProblems(schema, result.error?.issues) };
}

/** The most characters of a query, percent-encoded. The header Link has it four times, and Node's clients read 16 KB of headers. */
const queryMax = 2000;

function parseQuery(event: ApiEvent, schema: z.ZodObject | undefined): ParseResult {
  const given = Object.entries(event.multiValueQueryStringParameters ?? {});
  if (!schema)
    return {
      problems: given.map(([name]) =>
        problemOfNoField(
          'A parameter is not known here (no parameter is allowed)',
          `${shown(name)} is not known here (no parameter is allowed)`,
        ),
      ),
    };
  if (isTooLong(event))
    return { problems: [problemOf('the query', `must be at most ${queryMax} characters, percent-encoded`)] };
  const isRepeated = (name: unknown) => given.some(([key, values = []]) => key === name && values.length > 1);
  const sent = given.map(([name, values = []]) => [
    name,
    isList(schema, name) || isRepeated(name) ? values : values[0],
  ]);
  const result = schema.safeParse(Object.fromEntries(sent));
  const issues = (result.error?.issues ?? []).map((issue) => {
    const [name, ...entry] = issue.path as [string, ...number[]];
    // The only value of a list needs no number.
    if (entry.length > 0) return isRepeated(name) ? issue : { ...issue, path: [name] };
    if (!isRepeated(name) || isList(schema, name)) return issue;
    return { ...issue, message: `must be given once, and ${issue.message}` };
  });
  return { value: result.data, problems: inputProblems(schema, issues) };
}

/** The most characters that the links to other pages add. */
const linkMax = 150;

/** Whoever got a page can follow its links, so what they add may be more. */
function isTooLong(event: ApiEvent): boolean {
  const query = queryOf(event);
  if (String(query).length > queryMax + linkMax) return true;
  for (const name of ['limit', 'offset', 'after', 'next_updated_since']) query.delete(name);
  return String(query).length > queryMax;
}

/** Whether a parameter may be given several times. It does without zod itself, which many Lambdas do not contain. */
const isList = ({ shape }: z.ZodObject, name: string): boolean =>
  Object.hasOwn(shape, name) && (shape[name] as z.ZodOptional<z.ZodType>).def.innerType?.def.type === 'array';

/** The path parameters, decoded. One that cannot be decoded stays as it is: no record has such an id. */
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
