import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bodyExamples } from '../../../../infra/pages/reference/prose/bodies.ts';
import { operations } from '../../../../lib/contract/index.ts';
import { parseEntityTags } from '../../../../lib/http/apiEvent.ts';
import { contacts } from '../../../../lib/resources/contacts.ts';
import type { Operation } from '../../../../lib/resources/operation.ts';
import { document, pointerOf, resolved, validatorOf } from '../../../support/documents/openapi.ts';
import { isRepeatable, queryParametersOf, written } from '../../../support/input/queries.ts';

// The document says what is refused, as far as JSON Schema and patterns that all languages read can. Whoever keeps to it gets no 400.

const withBody = (operations as readonly Operation[]).filter(({ body }) => body);

/** Tells whether a body is what the document says of an operation's. */
const documented = ({ path, method }: Operation) =>
  validatorOf(
    pointerOf('paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema'),
  );

/** Texts that some field refuses, or takes. */
const texts = [
  '',
  ' ',
  '\t\n',
  '\u0000',
  'a\u0000',
  'a\u0085b',
  'a\nb',
  'a\r\nb',
  'a\rb',
  ' a ',
  'a',
  'ä',
  '-',
  'x'.repeat(101),
  'x'.repeat(2001),
];

type Fields = Record<string, unknown>;

/** A body in as many variants as it has places for text, each with every text in that place. */
function* variants(body: Fields): Generator<Fields> {
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === 'string') for (const text of texts) yield { ...body, [name]: text };
    else if (Array.isArray(value)) for (const text of texts) yield { ...body, [name]: [text] };
    else if (typeof value === 'object' && value !== null)
      for (const inner of variants(value as Fields)) yield { ...body, [name]: inner };
  }
}

/** Words of whose form alone the document knows: whether there is such a thing, only lists of others tell. */
const lookedUp = /^(address\.country|locale|timezone|url|email) /;

/** The document says in words alone that a text has something to see, and no control characters: a pattern would have tools send blanks. */
const inWords =
  /must be (?:a string|an id) of 1 to \d+ characters,|must have no lone surrogates, U\+FFFD or U\+0000 in its texts/;

describe.each(withBody.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  test('takes every text that the document allows', () => {
    const isDocumented = documented(operation);
    const whole = { ...(document.components.schemas.Contact?.examples?.[0] as Fields) };
    const example: Fields = { ...bodyExamples[id as keyof typeof bodyExamples] };
    if (id.endsWith('Contact'))
      for (const name of ['note', 'company', 'locale', 'timezone']) example[name] = whole[name];
    const all = [...variants(example)];
    for (const body of all.filter((one) => isDocumented(one))) {
      const issues = operation.body?.().safeParse(body).error?.issues ?? [];
      const problems = issues.map(({ path, message }) => `${path.join('.')} ${message}`);
      expect(
        problems.filter((problem) => !lookedUp.test(problem) && !inWords.test(problem)),
        JSON.stringify(body),
      ).toEqual([]);
    }
  });
});

const parametersOf = (operations as readonly Operation[]).flatMap((operation) =>
  queryParametersOf(operation).map(
    (parameter) => [operation.id, parameter.name, operation, parameter] as const,
  ),
);

/** Values of parameters that some parameter refuses, or takes. */
const parameterValues = [
  ...texts,
  ...['0', '100', '101', 'paid', 'Paid', 'a_word_of_tomorrow', 'x'.repeat(41), '-created_at', 'updated_at'],
  ...['ada@example.com', '+4930123456', 'crm-1001', 'con_9x7aej2svz025b0x7prpcchs'],
  ...['2026-03-01T09:30:00Z', '2026-03-01T09:30:00.123456789+01:00', '2026-03-01'],
];

test.each(parametersOf)('%s takes every %s that the document allows', (_, name, operation, parameter) => {
  const { schema, example } = parameter;
  const { path, method } = operation;
  const all = document.paths[path]?.[method.toLowerCase()]?.parameters ?? [];
  const index = all.findIndex((one) => resolved(one).name === name);
  const isDocumented = validatorOf(
    `${pointerOf('paths', path, method.toLowerCase(), 'parameters', `${index}`)}/schema`,
  );
  const isList = schema.type === 'array';
  const candidates = parameterValues.map((text) =>
    isList ? [text] : schema.type === 'integer' ? Number(text) : text,
  );
  // The format of e-mail addresses allows any text.
  const tried = schema.format === 'idn-email' ? [example] : [example, ...candidates];
  const allowed = tried.filter((value) => isDocumented(value));
  expect(allowed.length).toBeGreaterThan(0);
  for (const value of allowed) {
    const values = written(parameter, value);
    const sent = { [name]: isRepeatable(parameter) ? values : values[0] };
    const problems =
      operation
        .query?.()
        .safeParse(sent)
        .error?.issues.map(({ message }) => message) ?? [];
    expect(
      problems.filter((problem) => !inWords.test(problem)),
      JSON.stringify(value),
    ).toEqual([]);
  }
});

test('a new contact needs one of its identifiers, in the document as in the code', () => {
  const createContact = withBody.find(({ id }) => id === 'createContact') as Operation;
  const isDocumented = documented(createContact);
  const given = { email: 'ada@example.com', phone: '+4930123456', external_id: 'crm-1001' };
  const ways = (contacts.identifiedBy ?? []).map((name) => [
    {},
    { [name]: null },
    { [name]: given[name as keyof typeof given] },
  ]);
  for (const email of ways[0] ?? [])
    for (const phone of ways[1] ?? [])
      for (const external of ways[2] ?? []) {
        const body = { ...email, ...phone, ...external };
        const isTaken = createContact.body?.().safeParse(body).success;
        expect([body, isDocumented(body)]).toEqual([body, isTaken]);
      }
});

test.each(['If-Match', 'If-None-Match'])('every %s that the document allows is taken', (name) => {
  const pattern = document.components.parameters[name]?.schema.pattern as string;
  fc.assert(
    fc.property(fc.stringMatching(new RegExp(pattern)), (tags) => parseEntityTags(tags) !== undefined),
  );
  const isDocumented = validatorOf(`${pointerOf('components', 'parameters', name)}/schema`);
  for (const tags of ['"1"', 'W/"1", "2"', '*']) expect(isDocumented(tags), tags).toBe(true);
  for (const tags of ['', '1', '"1', '*, "1"', 'w/"1"', '"1 2"', `"${'1'.repeat(1023)}"`])
    expect(isDocumented(tags), tags).toBe(false);
});
