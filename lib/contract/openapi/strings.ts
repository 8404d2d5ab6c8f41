import type * as z from 'zod';
import {
  country,
  currency,
  email,
  externalId,
  locale,
  phone,
  timezone,
  webAddress,
} from '../values/fields.ts';
import { receiverUrl } from '../values/receiverUrl.ts';
import { time } from '../values/time.ts';
import type { Json, Side } from './json.ts';

/** The rule of a kind of field. Each kind has its own rule, so the rule identifies the kind. */
const ruleOf = (schema: z.core.$ZodType): string | undefined =>
  schema._zod.def.error?.({ input: 0 } as never) as string | undefined;

/** The JSON Schema of kinds whose patterns are unreadable, or that are checked by lists. */
const kinds = new Map<string | undefined, Json>(
  (
    [
      [externalId(), { pattern: '^[A-Za-z0-9._:@+=-]+$', minLength: 1, maxLength: 255 }],
      // E-mail addresses and URLs may have letters of any script. The formats email and uri would forbid them.
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
  ).map(([kind, description]) => [ruleOf(kind), description]),
);

/**
 * The characters that no text may have: `refused` of characters.ts, in the syntax that the expressions of most languages share.
 * They have no common syntax for surrogates, tag characters and combining marks: these rules are the API's alone.
 */
const forbidden = '\\x00-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069\\ufffd';

/**
 * Invisible characters without white space: those of `invisible` of characters.ts that are one unit of UTF-16. The annotation
 * marks are not among them: within v1 a pattern stays as it was released.
 */
const ignorable =
  '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2060-\\u2065\\u206a-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb';

const spaces = ' \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

/** The characters before the first visible one. No character matches two parts of the pattern, so its time is linear and not quadratic. */
const before = (more: string) => `\\s*([${ignorable}]([${ignorable}${spaces}]${more})*)?`;

const seen = `[^\\s${ignorable}${forbidden}]`;
const line = `${before('')}${seen}[^${forbidden}]*`;

/** Patterns of text in requests. White space around a text is removed. A text that must not be empty needs a visible character. */
export const patterns = {
  maybeEmpty: `^(${line}|\\s*)$`,
  oneLine: `^${line}$`,
  manyLines: `^${before('|\\r?\\n')}${seen}([^${forbidden}]|\\r?\\n)*$`,
};

/** A pattern of `text`: it counts characters and refuses some. It ends with `)?` if the text may be empty. */
const lengthOnly = /\\p\{Cc\}\\p\{Cs\}.*\{1,(\d+)\}(\)\?)?\$$/;
/** An id, with one prefix or with several of the same length. */
const anId = /^\^(?:\(([a-z]+)(?:\|[a-z]+)*\)|([a-z]+))_\[[^\]]+\]\{24\}\$$/;

/** The JSON Schema of a kind of text. @param json zod's JSON Schema of it */
export function stringSchema(schema: z.core.$ZodType, { pattern = '', ...rest }: Json, side: Side): Json {
  const kind = kinds.get(ruleOf(schema));
  if (kind) return { type: 'string', ...kind };
  const [, max, none] = lengthOnly.exec(String(pattern)) ?? [];
  if (max !== undefined) {
    const lengths = { type: 'string', minLength: none ? 0 : 1, maxLength: Number(max) };
    const kindOfText = String(pattern).includes('|\\n') ? 'manyLines' : none ? 'maybeEmpty' : 'oneLine';
    return side === 'input' ? { ...lengths, pattern: patterns[kindOfText] } : lengths;
  }
  const [, first, only = first] = anId.exec(String(pattern)) ?? [];
  const length = only && only.length + '_'.length + 24;
  return length ? { type: 'string', pattern, minLength: length, maxLength: length } : rest;
}
