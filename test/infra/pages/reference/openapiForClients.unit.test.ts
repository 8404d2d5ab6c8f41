import { expect, test } from 'vitest';
import { knownWords } from '../../../../infra/pages/reference/openapi/jsonSchema.ts';
import { document, type Schema } from '../../../support/documents/openapi.ts';

// What generators of clients trip over, whatever the language. Each rule was found by generating, compiling and running
// clients: openapi-generator 7.17 for Go, Java (okhttp-gson and native) and Python, openapi-python-client 0.29 and
// datamodel-code-generator 0.89.

interface Found {
  /** Where it stands: the component, and the keywords that lead there. */
  path: string;
  schema: Schema;
}

/** A schema with all schemas in it and all components that it refers to. */
function* within(schema: Schema, path: string, seen: Set<string>): Generator<Found> {
  const { $ref, properties = {}, items, additionalProperties, anyOf = [], allOf = [] } = schema;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) as string;
    const component = document.components.schemas[name];
    if (component && !seen.has(name)) yield* within(component, name, seen.add(name));
    return;
  }
  yield { path, schema };
  for (const [name, one] of Object.entries(properties)) yield* within(one, `${path}.${name}`, seen);
  for (const one of [items, additionalProperties])
    if (typeof one === 'object') yield* within(one as Schema, `${path}[]`, seen);
  for (const one of [...anyOf, ...allOf]) yield* within(one, path, seen);
}

const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
const contentOf = ({ content }: { content?: { 'application/json': { schema: Schema } } }) =>
  content ? [content['application/json'].schema] : [];

const all = (schemas: Schema[]): Found[] => {
  const seen = new Set<string>();
  return schemas.flatMap((schema, i) => [...within(schema, `${i}`, seen)]);
};

const answered = all([
  ...operations.flatMap(({ responses }) => Object.values(responses).flatMap(contentOf)),
  ...Object.values(document.components.responses).flatMap(contentOf),
]);
const webhookBodies = all(
  Object.values(document.webhooks).flatMap(({ post }) => contentOf(post.requestBody ?? {})),
);
const read = [...answered, ...webhookBodies];
const sent = all(operations.flatMap(({ requestBody }) => contentOf(requestBody ?? {})));

const pathsOf = (found: Found[]) => found.map(({ path }) => path);
const isObject = ({ schema: { properties } }: Found) => properties !== undefined;
const typesOf = ({ type = [] }: Schema): string[] => [type].flat();
const isNull = ({ type }: Schema) => type === 'null';

test('the walk meets everything that is read and sent', () => {
  const names = new Set([...read, ...sent].map(({ path }) => path.split(/[.[]/)[0]));
  expect([...names].filter((name) => name && !/^\d+$/.test(name)).sort()).toEqual(
    Object.keys(document.components.schemas).sort(),
  );
});

// Clients for Go refuse a field that they do not know, and so do those for Java.
test('every object that is read may have more fields', () => {
  // What a type of event adds to the event is not an object of its own.
  const own = read.filter((found) => isObject(found) && !/^\d+$/.test(found.path));
  expect(pathsOf(own.filter(({ schema }) => schema.additionalProperties !== true))).toEqual([]);
});

// A typing error that is ignored is a lost value; clients in TypeScript do not even compile with one. Generators read this keyword alone
// as it is meant: with `additionalProperties`, whatever it is, openapi-generator adds a map of more fields.
test('no object that is sent may have more fields', () => {
  const open = ({ schema }: Found) =>
    schema.unevaluatedProperties !== false || 'additionalProperties' in schema;
  expect(pathsOf(sent.filter((found) => isObject(found) && open(found)))).toEqual([]);
});

// Clients for Python and Java refuse the whole answer when one word in it is new.
test('no field of an answer has a closed set of words', () => {
  const closed = answered.filter(({ schema }) => 'enum' in schema || 'const' in schema);
  expect(pathsOf(closed)).toEqual([]);
});

// By it TypeScript tells events apart, and other clients make nothing of it: it is the entry of that type.
test('only the type of its own entry is fixed in an event', () => {
  const closed = webhookBodies.filter(({ schema }) => 'enum' in schema || 'const' in schema);
  expect(closed.map(({ path }) => path.replace(/^\d+/, ''))).toEqual(
    Object.keys(document.webhooks).map(() => '.type'),
  );
});

test('the known words of an answer are in the keyword and in the description', () => {
  const withWords = read.filter(({ schema }) => knownWords in schema);
  expect(withWords.length).toBeGreaterThan(20);
  const { status } = document.components.schemas.Order?.properties ?? {};
  expect(status?.[knownWords]).toEqual(['pending', 'confirmed', 'completed', 'cancelled']);
  expect(status?.description).toMatch(/`pending`, `confirmed`, `completed`, `cancelled`\.$/);
});

// Without a name, generators make one up: it changes with the order of the document, or becomes Type7.
test('every closed set of words in a request has a name', () => {
  const inline = sent.filter(({ schema, path }) => 'enum' in schema && /[.[]/.test(path));
  expect(pathsOf(inline)).toEqual([]);
});

// Clients for Go do not compile then: the words of all sets are in one package.
test('no two closed sets of words in requests have a constant in common', () => {
  const constants = Object.values(document.components.schemas).flatMap(
    ({ enum: words = [], 'x-enum-varnames': names = words }) => names as string[],
  );
  const inGo = constants.map((name) => name.replace(/\W/g, '_').toUpperCase());
  expect(inGo.filter((name, i) => inGo.indexOf(name) !== i)).toEqual([]);
});

// Generators replace such a name by the type of text, and forget that the field may be null.
test('no component is a text, but for the closed sets of words that are sent', () => {
  const texts = Object.entries(document.components.schemas).filter(
    ([, schema]) => typesOf(schema).includes('string') && !('enum' in schema),
  );
  expect(texts.map(([name]) => name)).toEqual([]);
});

// Go takes 32 bits for a number without a format, which keep seven digits.
test('every number says how many bits it takes', () => {
  const formats: Record<string, string[]> = { number: ['double'], integer: ['int32', 'int64'] };
  for (const { path, schema } of [...read, ...sent])
    for (const type of typesOf(schema))
      if (type in formats) expect(formats[type], `${path} has format`).toContain(schema.format);
});

// Clients for Java with Jackson take 12 for true in such a union, and those with a list among its forms do not compile.
test('a value in an answer has one type, is an object, or has any type', () => {
  const unions = read.filter(
    ({ schema }) =>
      typesOf(schema).filter((type) => type !== 'null').length > 1 ||
      schema.anyOf?.some((form) => form.$ref === undefined && !isNull(form)),
  );
  expect(pathsOf(unions)).toEqual([]);
});

// This is the one way to say null that all generators read: of a list of types where the type is plain, else of two forms.
test('null is a second type, or the second of two forms after a reference', () => {
  for (const { path, schema } of [...read, ...sent]) {
    const { anyOf = [], oneOf } = schema;
    expect(oneOf, `${path} has oneOf`).toBeUndefined();
    if (typesOf(schema).includes('null') && !isNull(schema))
      expect([path, schema.type]).toEqual([path, [expect.not.stringMatching('object'), 'null']]);
    // The values of custom fields that are sent are several plain forms, and read by no client.
    if (anyOf.some(isNull) && anyOf.some(({ $ref }) => $ref))
      expect([path, anyOf]).toEqual([path, [{ $ref: expect.any(String) }, { type: 'null' }]]);
  }
});

// A class of the client would hide that of the language, or be renamed in one of them.
test('no component has a name that languages use themselves', () => {
  const taken =
    /^(Error|Exception|Object|String|Number|Boolean|Array|List|Map|Set|Date|File|Function|Any|Type)$/;
  expect(Object.keys(document.components.schemas).filter((name) => taken.test(name))).toEqual([]);
});

// By openapi-generator 7.17 it is a map of any values in Rust, Kotlin, Swift, Go, Java, Python and TypeScript.
test('custom fields are a map of anything', () => {
  const { description: _, examples: __, ...schema } = document.components.schemas.CustomFields as Schema;
  expect(schema).toEqual({ type: 'object', additionalProperties: true });
});
