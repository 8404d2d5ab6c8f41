/** What is known of a place in values of one kind, such as `attempts[].outcome`. */
interface PathCounts {
  /** How often it is there, and how often it is an object. */
  seen: number;
  objects: number;
  /** How many objects there are of which it could be a field. */
  of: number;
  /** Each a type, a form of text, or a word in quotes. */
  forms: Set<string>;
}

/** What values of one kind look like, by the path of each place. */
export type Shape = Map<string, PathCounts>;

/** Texts whose form somebody may rely on; everything else is a text. */
const textForms: readonly [name: string, form: RegExp][] = [
  ['time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/],
  ['digits', /^\d+$/],
  ['hash', /^[0-9a-f]{64}$/],
];

const idForm = /^([a-z]{2,4})_[0-9a-z]{24}$/;
const wordForm = /^(\*|[a-z]+([._-][a-z*]+)*)$/;

function formOf(text: string): string {
  const [form] = textForms.find(([, pattern]) => pattern.test(text)) ?? [];
  if (form !== undefined) return form;
  // Keys are made of parts, and so are the names of the partitions of an index.
  if (text.includes('#')) return text.split('#').map(formOf).join('#');
  const [, prefix] = idForm.exec(text) ?? [];
  if (prefix !== undefined) return `id of ${prefix}`;
  return wordForm.test(text) ? `"${text}"` : 'text';
}

/** Fields that are called after a day or an id: each is one of a list. */
const nameOf = (field: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(field) ? '<day>' : idForm.test(field) ? '<id>' : field;

/** The shape of values of one kind. */
export function shapeOf(values: readonly unknown[]): Shape {
  const shape: Shape = new Map();
  for (const value of values) look(shape, '', value);
  for (const [path, counts] of shape)
    counts.of = isField(path) ? (shape.get(aroundOf(path))?.objects ?? 0) : counts.seen;
  return shape;
}

function look(shape: Shape, path: string, value: unknown): void {
  const counts = shape.get(path) ?? { seen: 0, objects: 0, of: 0, forms: new Set() };
  shape.set(path, counts);
  counts.seen += 1;
  const inner = parsed(value);
  if (inner === null || inner === undefined) counts.forms.add('null');
  else if (inner instanceof Uint8Array) counts.forms.add('bytes');
  else if (Array.isArray(inner)) {
    counts.forms.add('list');
    for (const one of inner) look(shape, `${path}[]`, one);
  } else if (typeof inner === 'object') {
    counts.objects += 1;
    counts.forms.add(inner === value ? 'object' : 'JSON');
    for (const [name, one] of Object.entries(inner)) look(shape, `${path}.${nameOf(name)}`, one);
  } else counts.forms.add(typeof inner === 'string' ? formOf(inner) : typeof inner);
}

/** What a text of JSON holds, or the value itself. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith('{')) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Tells apart what code could have to tell apart. */
export const signatureOf = (value: unknown): string =>
  JSON.stringify([...shapeOf([value])].map(([path, { forms }]) => [path, [...forms].sort()]).sort());

/**
 * What code that was made for values of the first shape could not read of values of the second, a sentence each. A field
 * more is none: nobody reads what they do not know.
 */
export function* unreadable(before: Shape, after: Shape, kind: string): Generator<string> {
  for (const [path, { seen, of, forms }] of before) {
    const [now, where] = [after.get(path), `${kind}${path}`];
    if (!now) {
      // When the object around it is gone, only that is reported.
      if (seen === of && after.has(aroundOf(path))) yield `${where} is gone`;
      continue;
    }
    if (seen === of && now.seen < now.of) yield `${where} may be missing`;
    for (const form of now.forms)
      if (!forms.has(form))
        yield form.startsWith('"') ? `${where} has the new word ${form}` : `${where} can be: ${form}`;
  }
}

const isField = (path: string): boolean => path !== '' && !path.endsWith(']');

/** The path of what a place is a part of. */
const aroundOf = (path: string): string =>
  path.slice(0, Math.max(0, path.lastIndexOf('.'), path.lastIndexOf('[')));
