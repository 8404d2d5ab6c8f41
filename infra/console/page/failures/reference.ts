/** The areas of the reference whose name is not the first part of the path. */
const areas: readonly [path: RegExp, area: string][] = [
  [/^\/webhook-subscriptions\/\{subscriptionId\}\/(test|deliver|redeliver)/, 'webhook-deliveries'],
  [/^\/me(\/|$)/, 'api-key'],
];

const headers = ['Idempotency-Key', 'If-Match', 'If-None-Match'];

interface Request {
  method: string;
  path: string;
}

/** The part of an operation where a field or parameter is described. */
function placeOf({ method, path }: Request, field: string): string {
  if (headers.includes(field)) return `headers.${field}`;
  // Of what is inside a field, such as `address.country` or `contacts[0].email`, the field is described.
  const [name = ''] = field.split(/[.[]/);
  if (path.includes(`{${name}}`)) return `path.${name}`;
  return method === 'GET' || method === 'DELETE' ? `query.${name}` : `body.${name}`;
}

/** The fragment that leads to an operation in the reference, or to one of its fields. */
export function anchorOf({ method, path }: Request, field: string | null): string {
  const [, area] = areas.find(([of]) => of.test(path)) ?? [];
  const operation = `#tag/${area ?? path.split('/')[1]}/${method}${path}`;
  return field === null ? operation : `${operation}.${placeOf({ method, path }, field)}`;
}
