import type { BaseOperation } from '../contract/operation.ts';
import type { ApiEvent } from './event.ts';
import { headerValues } from './headers.ts';

/** The URL of the request without its query, as the client sees it: with custom domain and base path. */
export function urlOf({ requestContext, multiValueHeaders }: ApiEvent): string {
  const [protocol] = headerValues(multiValueHeaders, 'X-Forwarded-Proto');
  const origin = `${protocol === 'http' ? 'http' : 'https'}://${requestContext.domainName}`;
  return origin + withoutSlashesAtTheEnd(requestContext.path);
}

/** The URL of a record of the resource that an operation is about. Its collection is the first part of the path, if none is declared. */
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

/** Without a regular expression: it would start again at each slash that is not at the end. */
function withoutSlashesAtTheEnd(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

export interface Pagination {
  limit: number;
  offset: number;
  total: number;
}

/** The Link header of a list (RFC 8288): first, prev, next and last, if there are such pages. */
export function linkHeader(event: ApiEvent, { limit, offset, total }: Pagination): string {
  const last = total === 0 ? 0 : Math.floor((total - 1) / limit) * limit;
  const offsets: [rel: string, offset: number][] = [
    ['first', 0],
    // Beyond the end, `prev` is the last page with records.
    ...(offset > 0 ? [['prev', Math.max(0, Math.min(offset - limit, last))] as [string, number]] : []),
    ...(offset + limit < total ? [['next', offset + limit] as [string, number]] : []),
    ['last', last],
  ];
  const pageUrl = pageUrls(event, limit);
  return offsets.map(([rel, at]) => `<${pageUrl(at)}>; rel="${rel}"`).join(', ');
}

/** The query of a request as a link has it, with every value of a parameter that is given several times. */
export const queryOf = ({ multiValueQueryStringParameters }: ApiEvent): URLSearchParams =>
  new URLSearchParams(
    Object.entries(multiValueQueryStringParameters ?? {}).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    ),
  );

/** The same URL at other pages: every other parameter is kept. */
function pageUrls(event: ApiEvent, limit: number): (offset: number) => string {
  const url = urlOf(event);
  const query = queryOf(event);
  for (const name of ['limit', 'offset']) query.delete(name);
  query.set('limit', String(limit));
  return (offset) => {
    query.set('offset', String(offset));
    return `${url}?${query}`;
  };
}
