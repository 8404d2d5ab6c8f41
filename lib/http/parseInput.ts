import type * as z from 'zod';
import { badRequest } from '../errors/apiError.ts';
import { constant, said, theirs } from '../errors/constant.ts';
import { type Problem, problemOf, problemOfNoField } from '../errors/problem.ts';
import type { BaseOperation } from '../resources/operation.ts';
import { inputProblems } from '../values/inputProblems.ts';
import { isObject } from '../values/json.ts';
import { limitMax } from '../values/lists.ts';
import { shown } from '../values/problemMessages.ts';
import { unwrapped } from '../values/reading.ts';
import type { ApiEvent, Input, Middleware } from './event.ts';
import { hasIds, queryOfRequest } from './links.ts';

/** The result of a schema. The value counts only when there are no problems. */
interface ParseResult {
  value?: unknown;
  problems: Problem[];
}

/**
 * Adds `input`: the path's parameters, and the query and the body as the operation's schemas read them.
 * @throws ApiError 400 that names up to twenty problems of the request
 */
export const parseInput = ({ params, query, body }: BaseOperation): Middleware => ({
  before: function parseInputBefore({ event }) {
    const parsedParams = parseParams(event, params?.());
    const parsedQuery = parseQuery(event, query?.());
    // A body that could not be parsed is still a string, or no object: its fields cannot be checked.
    const parsedBody: ParseResult =
      body && isObject(event.body) ? parse(body(), event.body) : { problems: [] };
    const problems = [
      ...(event.problems ?? []),
      ...parsedParams.problems,
      ...parsedQuery.problems,
      ...parsedBody.problems,
    ];
    if (problems.length > 0) throw badRequest(problems);
    event.input = {
      params: parsedParams.value as Input['params'],
      query: parsedQuery.value,
      body: parsedBody.value,
    };
  },
});

function parseParams(event: ApiEvent, schema: z.ZodType | undefined): ParseResult {
  if (!schema) return { value: paramsOf(event, (sent) => sent), problems: [] };
  // U+FFFD stands for what cannot be read, and no schema takes it.
  return parse(
    schema,
    paramsOf(event, () => '\uFFFD'),
  );
}

function parse(schema: z.ZodType, sent: unknown): ParseResult {
  const { data, error } = schema.safeParse(sent);
  return { value: data, problems: inputProblems(schema, error?.issues) };
}

/** The most characters of a query, percent-encoded. The header Link has it four times, and Node's clients read 16 KB of headers. */
const queryMax = 2000;

/** The limit for a query with `id`, which the Link header repeats: room for 100 ids as PHP writes them, `id[0]=…`. */
const queryWithIdsMax = 4200;

/** The parameters that Link sets, and more characters than it needs for them. */
const [pageParameters, pageMax] = [['limit', 'offset', 'after'], 100] as const;

/** How long the query may be, if it is longer. Whoever gets a page can follow its links: what they set does not count. */
function exceededMax(event: ApiEvent): number | undefined {
  const query = queryOfRequest(event);
  const max = hasIds(event) ? queryWithIdsMax : queryMax;
  const whole = String(query).length;
  if (whole <= max) return undefined;
  for (const name of pageParameters) query.delete(name);
  return String(query).length > max || whole > max + pageMax ? max : undefined;
}

function parseQuery(event: ApiEvent, schema: z.ZodObject | undefined): ParseResult {
  const given = Object.entries(event.multiValueQueryStringParameters ?? {});
  if (!schema)
    return {
      problems: given.map(([name]) =>
        problemOfNoField(said`${theirs(shown(name))} is not known here (no parameter is allowed)`),
      ),
    };
  const max = exceededMax(event);
  if (max !== undefined)
    return {
      problems: [
        problemOf(constant`the query`, constant`must be at most ${max} characters, percent-encoded`),
      ],
    };
  const sent = sentValues(schema, given);
  if (hasIds(event) && !sent.has('limit') && 'limit' in schema.shape) sent.set('limit', [String(limitMax)]);
  const isRepeated = (name: string) => (sent.get(name)?.length ?? 0) > 1;
  const result = schema.safeParse(
    Object.fromEntries(
      [...sent].map(([name, values]) => [
        name,
        isList(schema, name) || isRepeated(name) ? values : values[0],
      ]),
    ),
  );
  const issues = (result.error?.issues ?? []).map((issue) => {
    const [name, ...entry] = issue.path as [string, ...number[]];
    // The only value of a list needs no number.
    if (entry.length > 0) return isRepeated(name) ? issue : { ...issue, path: [name] };
    if (!isRepeated(name) || isList(schema, name)) return issue;
    return { ...issue, message: `must be given once, and ${issue.message}` };
  });
  return { value: result.data, problems: inputProblems(schema, issues) };
}

/** The values of each parameter. `status[]` and `status[0]`, as PHP and others write a list, are `status` if that takes several values. */
function sentValues(
  schema: z.ZodObject,
  given: readonly [name: string, values: string[] | undefined][],
): Map<string, string[]> {
  const sent = new Map<string, string[]>();
  for (const [written, values = []] of given) {
    const [, listed = written] = /^(\w+)\[\d{0,3}\]$/.exec(written) ?? [];
    const name = isList(schema, listed) ? listed : written;
    sent.set(name, [...(sent.get(name) ?? []), ...values]);
  }
  return sent;
}

function isList({ shape }: z.ZodObject, name: string): boolean {
  if (!Object.hasOwn(shape, name)) return false;
  const { type, isList } = unwrapped(shape[name] as z.ZodType);
  return type === 'array' || isList === true;
}

/** The path parameters, decoded, without white space around them. An id of ours that cannot be decoded may stay as it is: no record has such an id. */
const paramsOf = (
  { pathParameters }: ApiEvent,
  undecoded: (sent: string) => string,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(pathParameters ?? {}).map(([name, value = '']) => [
      name,
      decoded(value) ?? undecoded(value),
    ]),
  );

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value).trim();
  } catch {
    return undefined;
  }
}
