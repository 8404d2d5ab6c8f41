import type { BaseOperation } from '../../resources/operation.ts';
import type { ApiEvent } from '../event.ts';
import { headerValues } from '../headers.ts';

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

/** The query of a request as a link has it, with every value of a parameter that is given several times. */
export const queryOf = ({ multiValueQueryStringParameters }: ApiEvent): URLSearchParams =>
  new URLSearchParams(
    Object.entries(multiValueQueryStringParameters ?? {}).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    ),
  );

/** Whether the query of a request has a list of ids, which PHP and others write as `id[]` or `id[0]`. */
export const hasIds = ({ multiValueQueryStringParameters }: ApiEvent): boolean =>
  Object.keys(multiValueQueryStringParameters ?? {}).some((name) => /^id(?:\[\d{0,3}\])?$/.test(name));
