import type * as z from 'zod';
import { badRequest } from '../errors/apiError.ts';
import { constant, said, theirs } from '../errors/constant.ts';
import { type Problem, problemOf, problemOfNoField } from '../errors/problem.ts';
import type { BaseOperation } from '../resources/operation.ts';
import { inputProblems } from '../schemas/inputProblems.ts';
import { isObject } from '../schemas/json.ts';
import { limitMax } from '../schemas/lists.ts';
import { shown } from '../schemas/problemMessages.ts';
import { unwrapped } from '../schemas/reading.ts';
import type { ApiEvent, Input, Middleware } from './apiEvent.ts';
import { hasIds, queryOfRequest } from './linkHeader.ts';

/** The result of a schema. `value` is valid only if there are no problems. */
interface ParseResult {
  value?: unknown;
  problems: Problem[];
}

/**
 * Adds `input`: the path parameters, and the query and the body as the operation's schemas read them.
 * @throws ApiError 400 that names up to twenty problems of the request
 */
export const parseInput = ({ params, query, body }: BaseOperation): Middleware => ({
  before: function parseInputBefore({ event }) {
    const parsedParams = parseParams(event, params?.());
    const parsedQuery = parseQuery(event, query?.());
    // A body that could not be parsed is still a string, or not an object, so its fields cannot be checked.
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
  // U+FFFD replaces what cannot be read, and no schema accepts it.
  return parse(
    schema,
    paramsOf(event, () => '\uFFFD'),
  );
}

function parse(schema: z.ZodType, sent: unknown): ParseResult {
  const { data, error } = schema.safeParse(sent);
  return { value: data, problems: inputProblems(schema, error?.issues) };
}

/** How many characters a query may have, percent-encoded. The header Link repeats it four times, and Node's clients read at most 16 KB of headers. */
const queryMax = 2000;

/** The limit for a query with `id`, which the Link header repeats. It fits 100 ids as PHP writes them, `id[0]=…`. */
const queryWithIdsMax = 4200;

/** The parameters that Link sets, with more characters than it needs for them. */
const [pageParameters, pageMax] = [['limit', 'offset', 'after'], 100] as const;

/** Returns the limit that the query exceeds, if any. Parameters that Link sets do not count, so that a client can follow the links of every page. */
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
    // A list with a single value needs no number.
    if (entry.length > 0) return isRepeated(name) ? issue : { ...issue, path: [name] };
    if (!isRepeated(name) || isList(schema, name)) return issue;
    return { ...issue, message: `must be given once, and ${issue.message}` };
  });
  return { value: result.data, problems: inputProblems(schema, issues) };
}

/** Returns the values of each parameter. PHP and others write a list as `status[]` and `status[0]`; both mean `status` if it takes several values. */
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

/** Returns the path parameters, decoded and trimmed. If one of our ids cannot be decoded, it stays as it is, because no record has such an id. */
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
