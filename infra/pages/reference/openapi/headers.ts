import { answerHeaders, requestIdHeader } from '../../../../lib/contract/answerHeaders.ts';
import { fixedHeaderNotes, headerNotes } from '../prose/headers.ts';
import type { Json } from './jsonSchema.ts';

const always = new Set<string>(['Location', 'ETag', 'Link', requestIdHeader]);

const fixed = Object.entries(answerHeaders).map(([name, value]) => [
  name,
  {
    description: fixedHeaderNotes[name as keyof typeof answerHeaders],
    required: true,
    schema: { type: 'string', const: value },
    example: value,
  },
]);

const noted = Object.entries(headerNotes).map(([name, { description, schema, example }]) => [
  name,
  { description, required: always.has(name), schema, example },
]);

export const headers: Record<string, Json> = Object.fromEntries([...noted, ...fixed]);

/** `Location` of a 400, present only if an external id belongs to another record. */
export const ownerHeader: Json = { Location: { $ref: '#/components/headers/OwnerLocation' } };

/** Returns the headers of a response: those of every response, and the given ones. */
export const headersOf = (names: readonly string[] = []): Json =>
  Object.fromEntries(
    [...names, requestIdHeader, ...Object.keys(answerHeaders)].map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  );
