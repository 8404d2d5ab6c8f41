import { createHash } from 'node:crypto';
import {
  type FailedRequest,
  type FailedRequestsAnswer,
  type FailedRequestsQuery,
  type FailureFilter,
  type FailureGroup,
  type FailureGroupsAnswer,
  groupsMax,
  type NotKept,
} from '../contract/console/consoleUsage.ts';
import { groupKeysMax } from '../contract/console/groupKeysMax.ts';
import { between } from '../dynamodb/expressions.ts';
import { queryAll, queryPages } from '../dynamodb/query.ts';
import { usage } from '../dynamodb/tables.ts';
import { scopes } from '../resources/index.ts';
import { classOf } from './readUse.ts';
import { failPartition, hourOf, last, lostPartition, usageKeptMs } from './usageKeys.ts';

/**
 * A failed request as it is stored. The two log lines about it write different attributes, in any order. The list includes it once the line of
 * the access log was read. Only these lines decide whether a request is listed or just counted, so together both cover all requests.
 */
interface FailureItem {
  pk: string;
  sk: string;
  request_id: string;
  key_id: string;
  operation: string;
  method: string;
  path: string;
  status: number;
  /** The milliseconds from the request to the response, from the access log. */
  gateway_ms?: number;
  message?: string;
  missing_scope?: string;
  problems?: FailedRequest['problems'];
  ttl: number;
}

const lookedAtMax = 20_000;

type Filter = FailureFilter & Pick<FailedRequestsQuery, 'request_id' | 'group'>;

/** The first time, and the end, which is not included. */
interface Span {
  since: string;
  until: string;
}

function spanOf({ since, until = last }: FailureFilter): Span {
  const kept = new Date(Date.now() - usageKeptMs.failure).toISOString();
  return { since: since !== undefined && since > kept ? since : kept, until };
}

export async function listFailures(
  account: string,
  query: FailedRequestsQuery,
): Promise<FailedRequestsAnswer> {
  const span = spanOf(query);
  const [page, not_kept] = await Promise.all([
    pageOf(account, query, span),
    query.request_id === undefined ? notKept(account, query, span) : { '4xx': 0, '5xx': 0 },
  ]);
  return { ...page, not_kept };
}

/** Groups the failed requests of an account by operation, status and reason. The group that failed last comes first. */
export async function groupFailures(account: string, query: FailureFilter): Promise<FailureGroupsAnswer> {
  const span = spanOf(query);
  const failed: FailedRequest[] = [];
  const grouping = async () => {
    let lookedAt = 0;
    for await (const item of newestFirst(account, span)) {
      if (lookedAt === lookedAtMax) return startOf(item);
      lookedAt += 1;
      if (matches(item, query)) failed.push(shown(item));
    }
    return null;
  };
  const [grouped_since, not_kept] = await Promise.all([grouping(), notKept(account, query, span)]);
  const groups = [...Map.groupBy(failed, failureGroupOf)].map(([id, requests]) => groupOf(id, requests));
  return { data: groups.slice(0, groupsMax), not_kept, grouped_since };
}

/** @param requests of the group, newest first */
function groupOf(id: string, requests: readonly FailedRequest[]): FailureGroup {
  const latest = requests[0] as FailedRequest;
  return {
    id,
    count: requests.length,
    first_at: (requests.at(-1) as FailedRequest).at,
    last_at: latest.at,
    key_ids: [...new Set(requests.map(({ key_id }) => key_id))].slice(0, groupKeysMax),
    latest,
  };
}

/** Yields the stored failed requests of a span. @param limit how many are wanted, if known */
async function* newestFirst(
  account: string,
  { since, until }: Span,
  limit?: number,
): AsyncGenerator<FailureItem> {
  // BETWEEN includes both ends, and an empty range is an error.
  if (until <= since) return;
  const pages = queryPages<FailureItem>({
    ...usage.where({ pk: failPartition(account), sk: between(since, until) }),
    ScanIndexForward: false,
    ...(limit === undefined ? {} : { Limit: limit }),
  });
  for await (const page of pages) for (const item of page) if (item.sk !== until) yield item;
}

async function pageOf(
  account: string,
  query: FailedRequestsQuery,
  { since, until }: Span,
): Promise<Omit<FailedRequestsAnswer, 'not_kept'>> {
  const { limit, before = last, key_id, status_class, request_id, group } = query;
  const isFiltered = [key_id, status_class, request_id, group].some((value) => value !== undefined);
  const data: FailedRequest[] = [];
  const end = before < until ? before : until;
  let lookedAt = 0;
  let previous: string | null = null;
  for await (const item of newestFirst(account, { since, until: end }, isFiltered ? undefined : limit + 2)) {
    if (data.length === limit || lookedAt === lookedAtMax)
      return { data, pagination: { limit, next_before: previous } };
    if (matches(item, query)) data.push(shown(item));
    lookedAt += 1;
    previous = item.sk;
  }
  return { data, pagination: { limit, next_before: null } };
}

const matches = (item: FailureItem, { key_id, status_class, request_id, group }: Filter): boolean =>
  item.gateway_ms !== undefined &&
  (key_id === undefined || item.key_id === key_id) &&
  (status_class === undefined || classOf(item.status) === status_class) &&
  (request_id === undefined || item.request_id === request_id) &&
  (group === undefined || failureGroupOf(shown(item)) === group);

const startOf = ({ sk }: FailureItem): string => sk.slice(0, sk.indexOf('#'));

const shown = (item: FailureItem): FailedRequest => ({
  request_id: item.request_id,
  at: startOf(item),
  key_id: item.key_id,
  operation: item.operation,
  method: item.method,
  path: item.path,
  status: item.status,
  duration_ms: item.gateway_ms ?? 0,
  message: item.message ?? null,
  missing_scope: scopes.find((scope) => scope === item.missing_scope) ?? null,
  // Restores the order of fields, which the database does not keep.
  problems: (item.problems ?? []).map(({ field, message }) => ({ field, message })),
});

/** Returns how many failed requests were only counted. The hours at both ends count as a whole. */
async function notKept(
  account: string,
  { key_id, status_class }: FailureFilter,
  { since, until }: Span,
): Promise<NotKept> {
  const counts = { '4xx': 0, '5xx': 0 };
  // The last hour begins before the end.
  const end = until === last ? last : `${hourOf(Date.parse(until) - 1)}${last}`;
  const begin = hourOf(Date.parse(since));
  if (end <= begin) return counts;
  const items = await queryAll(usage.where({ pk: lostPartition(account), sk: between(begin, end) }));
  for (const item of items)
    if (key_id === undefined || (item.sk as string).split('#')[1] === key_id)
      for (const name of status_class === undefined ? (['4xx', '5xx'] as const) : [status_class])
        counts[name] += Number(item[name] ?? 0);
  return counts;
}

/** Returns why a request failed, the same for each place in a list: `contacts[3].email` becomes `contacts[].email`. */
const reasonOf = ({ message, problems }: FailedRequest): unknown =>
  problems.length === 0
    ? message
    : problems.map(({ field, message: problem }) => [field?.replace(/\[\d+\]/g, '[]'), problem]);

/** Returns the name of a failed request's group in 22 characters. All requests with the same operation, status and reason share it. */
export const failureGroupOf = (request: FailedRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([request.operation, request.status, reasonOf(request)]))
    .digest('base64url')
    .slice(0, 22);
