// Loaded by CDK at synth and by the tests, and by no Lambda: imports nothing but zod and its neighbours.
import type * as z from 'zod';
import {
  country,
  currency,
  email,
  externalId,
  locale,
  phone,
  time,
  timezone,
  webAddress,
} from '../fields.ts';
import { receiverUrl } from '../receiverUrl.ts';
import type { Json, Side } from './jsonSchema.ts';

/** The sentence by which a kind of field says what is allowed; no two kinds share one. */
const ruleOf = (schema: z.core.$ZodType): string | undefined =>
  schema._zod.def.error?.({ input: 0 } as never) as string | undefined;

/** What there is to say of kinds whose patterns nobody can read, or that are looked up in lists. */
const kinds = new Map<string | undefined, Json>(
  (
    [
      [externalId(), { pattern: '^[A-Za-z0-9._:@+=-]+$', minLength: 1, maxLength: 255 }],
      // Letters of any script are allowed in both, which the formats email and uri would forbid.
      [email(), { format: 'idn-email', maxLength: 254 }],
      [webAddress(), { format: 'iri', maxLength: 2048 }],
      [receiverUrl(), { format: 'iri', maxLength: 2048 }],
      [phone(), { pattern: '^\\+[1-9][0-9]{6,14}$', minLength: 8, maxLength: 16 }],
      [country(), { pattern: '^[A-Z]{2}$', minLength: 2, maxLength: 2 }],
      [currency(), { pattern: '^[A-Z]{3}$', minLength: 3, maxLength: 3 }],
      [locale(), { pattern: '^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$', minLength: 2, maxLength: 35 }],
      [timezone(), { pattern: '^[A-Z][A-Za-z0-9_+/-]*$', minLength: 1, maxLength: 64 }],
      [time(), { format: 'date-time', maxLength: 24 }],
    ] as [z.ZodType, Json][]
  ).map(([kind, said]) => [ruleOf(kind), said]),
);

/** Control characters and U+FFFD, which no text may have; written in what the expressions of most languages share. */
const forbidden = '\\x00-\\x1f\\x7f-\\x9f\\ufffd';

/** Text that is sent. White space around it falls away, and something has to be left where it must not be empty. */
export const patterns = {
  maybeEmpty: `^[^${forbidden}]*$`,
  oneLine: `^\\s*[^\\s${forbidden}][^${forbidden}]*$`,
  manyLines: `^\\s*[^\\s${forbidden}]([^${forbidden}]|\\r?\\n)*$`,
};

/** A pattern that counts characters, as those of `text` do. */
const lengthOnly = /\\p\{Cc\}\\p\{Cs\}\\uFFFD\].*\{(\d+),(\d+)\}\$$/;
const anId = /^\^(\w+_)\[[^\]]+\]\{24\}\$$/;

/** The JSON Schema of a kind of text; `json` is what zod makes of it. */
export function stringSchema(schema: z.core.$ZodType, { pattern = '', ...rest }: Json, side: Side): Json {
  const kind = kinds.get(ruleOf(schema));
  if (kind) return { type: 'string', ...kind };
  const [, min, max] = lengthOnly.exec(String(pattern)) ?? [];
  if (max !== undefined) {
    const lengths = { type: 'string', minLength: Number(min), maxLength: Number(max) };
    const kindOfText = String(pattern).includes('|\\n')
      ? 'manyLines'
      : min === '0'
        ? 'maybeEmpty'
        : 'oneLine';
    return side === 'input' ? { ...lengths, pattern: patterns[kindOfText] } : lengths;
  }
  const [, prefix] = anId.exec(String(pattern)) ?? [];
  const length = prefix && prefix.length + 24;
  return length ? { type: 'string', pattern, minLength: length, maxLength: length } : rest;
}
