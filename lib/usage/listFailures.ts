import type { FailedRequest, FailedRequestsAnswer, FailedRequestsQuery } from '../contract/console/usage.ts';
import { queryAll, queryPages } from '../dynamodb/query.ts';
import { env, required } from '../env.ts';
import { classOf } from './counts.ts';
import { failPartition, hourOf, keptMs, last, lostPartition } from './keys.ts';

/**
 * A failed request as it is stored. The two log lines about it write different attributes, in any order. It is listed when the line of the
 * access log was read: these lines alone decide which requests are listed and which are only counted, so together they are all.
 */
export interface FailureItem {
  pk: string;
  sk: string;
  request_id: string;
  key_id: string;
  operation: string;
  method: string;
  path: string;
  status: number;
  /** By the access log: from the request to the answer. */
  gateway_ms?: number;
  message?: string;
  problems?: FailedRequest['problems'];
  ttl: number;
}

/** The most requests that are looked at for a page. */
const lookedAtMax = 20_000;

/** A page of the failed requests of an account, newest first. */
export async function listFailures(
  account: string,
  query: FailedRequestsQuery,
  now = Date.now(),
): Promise<FailedRequestsAnswer> {
  const kept = new Date(now - keptMs.failure).toISOString();
  const since = query.since !== undefined && query.since > kept ? query.since : kept;
  const [page, not_kept] = await Promise.all([
    pageOf(account, query, since),
    query.request_id === undefined ? notKept(account, query, since) : 0,
  ]);
  return { ...page, not_kept };
}

async function pageOf(
  account: string,
  query: FailedRequestsQuery,
  since: string,
): Promise<Omit<FailedRequestsAnswer, 'not_kept'>> {
  const { limit, before = last, key_id, status_class, request_id } = query;
  const isFiltered = key_id !== undefined || status_class !== undefined || request_id !== undefined;
  const data: FailedRequest[] = [];
  const pagination = { limit, next_before: null as string | null };
  // BETWEEN includes its ends, and an empty range is an error.
  if (before <= since) return { data, pagination };
  const pages = queryPages({
    TableName: required(env.usageTable),
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :since AND :before',
    ExpressionAttributeValues: { ':pk': failPartition(account), ':since': since, ':before': before },
    ScanIndexForward: false,
    ...(isFiltered ? {} : { Limit: limit + 2 }),
  });
  let lookedAt = 0;
  let previous: string | null = null;
  for await (const page of pages)
    for (const item of page as unknown as FailureItem[]) {
      if (item.sk === before) continue;
      if (data.length === limit || lookedAt === lookedAtMax)
        return { data, pagination: { limit, next_before: previous } };
      if (matches(item, query)) data.push(shown(item));
      lookedAt += 1;
      previous = item.sk;
    }
  return { data, pagination };
}

const matches = (
  item: FailureItem,
  { key_id, status_class, request_id }: Omit<FailedRequestsQuery, 'limit'>,
): boolean =>
  item.gateway_ms !== undefined &&
  (key_id === undefined || item.key_id === key_id) &&
  (status_class === undefined || classOf(item.status) === status_class) &&
  (request_id === undefined || item.request_id === request_id);

const shown = (item: FailureItem): FailedRequest => ({
  request_id: item.request_id,
  at: item.sk.slice(0, item.sk.indexOf('#')),
  key_id: item.key_id,
  operation: item.operation,
  method: item.method,
  path: item.path,
  status: item.status,
  duration_ms: item.gateway_ms ?? 0,
  message: item.message ?? null,
  // The database does not keep the order of fields.
  problems: (item.problems ?? []).map(({ field, message }) => ({ field, message })),
});

/** How many failed requests were only counted. The hour in which `since` is counts as a whole. */
async function notKept(
  account: string,
  { key_id, status_class }: Pick<FailedRequestsQuery, 'key_id' | 'status_class'>,
  since: string,
): Promise<number> {
  const items = await queryAll({
    TableName: required(env.usageTable),
    KeyConditionExpression: 'pk = :pk AND sk >= :since',
    ExpressionAttributeValues: { ':pk': lostPartition(account), ':since': hourOf(Date.parse(since)) },
  });
  const classes = status_class === undefined ? ['4xx', '5xx'] : [status_class];
  return items
    .filter(({ sk }) => key_id === undefined || (sk as string).split('#')[1] === key_id)
    .flatMap((item) => classes.map((name) => Number(item[name] ?? 0)))
    .reduce((sum, count) => sum + count, 0);
}
