interface Request {
  operation: string;
  method: string;
  path: string;
}

/** The part of an operation where a field or parameter is described; undefined when it has no address of its own. */
function placeOf({ method, path }: Request, field: string): string | undefined {
  // A part of a field, such as `address.country` or `contacts[0].email`, is described at the field.
  const [name = ''] = field.split(/[.[]/);
  // Names that the sender has chosen have none.
  if (!/^\w+$/.test(name)) return undefined;
  if (path.includes(`{${name}}`)) return `path.${name}`;
  return method === 'GET' || method === 'DELETE' ? `query.${name}` : `body.${name}`;
}

/** The page of an operation in the reference, or the place of one of its fields there. */
export function pageOf(request: Request, field: string | null): string {
  // An operation of another release is counted so.
  if (request.operation === 'other') return 'index.html';
  const place = field === null ? undefined : placeOf(request, field);
  return `${request.operation}.html${place === undefined ? '' : `#${place}`}`;
}
