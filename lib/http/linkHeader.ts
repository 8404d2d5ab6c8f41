import type { BaseOperation } from '../resources/operation.ts';
import { type ApiEvent, headerValues } from './apiEvent.ts';

export interface ListAnswer {
  data: readonly object[];
  pagination: {
    limit: number;
    offset: number;
    total: number;
    /** Where the next page of changes begins, and whether there is one. */
    next_after?: number;
    has_more?: boolean;
  };
}

/** Parameters of a link that differ from those of the request; `undefined` removes one. */
type Changed = Record<string, string | number | undefined>;

/** Returns the Link header of a list (RFC 8288): first, prev, next and last, if these pages exist; for a list by ids, only first and next. */
export function linkHeader(operation: BaseOperation, event: ApiEvent, answer: ListAnswer): string {
  const { limit, offset, total } = answer.pagination;
  const last = total === 0 ? 0 : Math.floor((total - 1) / limit) * limit;
  const links: [rel: string, to: Changed | undefined][] = [
    ['first', { offset: 0, after: undefined }],
    // Beyond the end, `prev` is the last page with records.
    ['prev', offset > 0 ? { offset: Math.max(0, Math.min(offset - limit, last)) } : undefined],
    ['next', nextPage(operation, answer)],
    ['last', { offset: last }],
  ];
  // Four links with a hundred ids each would be too long for the response headers.
  const names = hasIds(event) ? ['first', 'next'] : undefined;
  const [url, query] = [urlOf(event), queryOfRequest(event)];
  return links
    .filter(([rel]) => names?.includes(rel) ?? true)
    .flatMap(([rel, to]) => (to ? [`<${url}?${withChanged(query, { limit, ...to })}>; rel="${rel}"`] : []))
    .join(', ');
}

/**
 * Returns the next page. If the list takes `after`, the page begins after the last record of this one. An `offset` would skip or repeat
 * records, because they may be deleted, leave a filter or be added at the front.
 */
function nextPage({ query }: BaseOperation, answer: ListAnswer): Changed | undefined {
  const { limit, offset, total, has_more, next_after } = answer.pagination;
  if (next_after !== undefined) return has_more ? { offset: undefined, after: next_after } : undefined;
  if (!('after' in (query?.().shape ?? {})))
    return offset + limit < total ? { offset: offset + limit } : undefined;
  const last = answer.data.at(-1) as { id: string } | undefined;
  // A page may contain fewer than `limit` records although there are more, because `total` does not count those that were left out of it.
  return last && offset + answer.data.length < total ? { offset: undefined, after: last.id } : undefined;
}

function withChanged(query: URLSearchParams, changed: Changed): URLSearchParams {
  const result = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changed)) {
    result.delete(name);
    if (value !== undefined) result.set(name, String(value));
  }
  return result;
}

/** Returns the URL of the request without its query, as the client sees it: with custom domain and base path. */
function urlOf({ requestContext, multiValueHeaders }: ApiEvent): string {
  const [protocol] = headerValues(multiValueHeaders, 'X-Forwarded-Proto');
  const origin = `${protocol === 'http' ? 'http' : 'https'}://${requestContext.domainName}`;
  return origin + withoutSlashesAtTheEnd(requestContext.path);
}

/** Returns the URL of a record. If the operation declares no collection, the first part of the path names it. */
export function recordUrl({ path, success }: BaseOperation, event: ApiEvent, id: string): string {
  const [, first, ...more] = path.split('/');
  const base = urlOf(event)
    .split('/')
    .slice(0, -(1 + more.length));
  const collection = (success.collection ?? `/${first}`).replace(
    /\{(\w+)\}/g,
    (_, name: string) => event.pathParameters?.[name] ?? '',
  );
  return `${base.join('/')}${collection}/${id}`;
}

/** Uses no regular expression, because it would start again at each slash that is not at the end. */
function withoutSlashesAtTheEnd(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** Returns the query of a request for a link, with every value of a repeated parameter. */
export const queryOfRequest = ({ multiValueQueryStringParameters }: ApiEvent): URLSearchParams =>
  new URLSearchParams(
    Object.entries(multiValueQueryStringParameters ?? {}).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    ),
  );

/** Returns whether the query of a request contains a list of ids, which PHP and others write as `id[]` or `id[0]`. */
export const hasIds = ({ multiValueQueryStringParameters }: ApiEvent): boolean =>
  Object.keys(multiValueQueryStringParameters ?? {}).some((name) => /^id(?:\[\d{0,3}\])?$/.test(name));
