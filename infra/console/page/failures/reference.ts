/** The areas of the reference whose name is not the first part of the path. */
const areas: readonly [path: RegExp, area: string][] = [
  [/^\/webhook-subscriptions\/\{subscriptionId\}\/(test|deliver|redeliver)/, 'webhook-deliveries'],
  [/^\/me(\/|$)/, 'api-key'],
];

interface Request {
  method: string;
  path: string;
}

/** The part of an operation where a field or parameter is described; undefined when it has no address of its own. */
function placeOf({ method, path }: Request, field: string): string | undefined {
  // Of what is inside a field, such as `address.country` or `contacts[0].email`, the field is described.
  const [name = ''] = field.split(/[.[]/);
  // Headers have none, and neither have names that the sender has chosen.
  if (!/^\w+$/.test(name)) return undefined;
  if (path.includes(`{${name}}`)) return `path.${name}`;
  return method === 'GET' || method === 'DELETE' ? `query.${name}` : `body.${name}`;
}

/** The fragment that leads to an operation in the reference, or to one of its fields. */
export function anchorOf({ method, path }: Request, field: string | null): string {
  const [, area] = areas.find(([of]) => of.test(path)) ?? [];
  const operation = `#tag/${area ?? path.split('/')[1]}/${method}${path}`;
  const place = field === null ? undefined : placeOf({ method, path }, field);
  return place === undefined ? operation : `${operation}.${place}`;
}
