import type * as z from 'zod';
import {
  country,
  currency,
  email,
  locale,
  time,
  timezone,
  webAddress,
} from '../../../../lib/values/fields.ts';
import { receiverUrl } from '../../../../lib/values/receiverUrl.ts';
import { phone } from '../../../../lib/values/texts/phone.ts';
import { externalId } from '../../../../lib/values/texts/texts.ts';
import type { Json, Side } from './json.ts';

/** The rule of a kind of field. Each kind has its own rule, so the rule identifies the kind. */
export const ruleOf = (schema: z.core.$ZodType): string | undefined =>
  schema._zod.def.error?.({ input: 0 } as never) as string | undefined;

/**
 * Parts of patterns. They are in the syntax that the expressions of all languages share and read alike: printable ASCII, and control
 * characters as \\xHH. What else the API refuses is in its rules alone: characters that change directions, U+FFFD, half characters,
 * what is invisible, and many combining marks.
 */
const [control, controlInLines] = ['\\x00-\\x1F\\x7F-\\x9F', '\\x00-\\x09\\x0B\\x0C\\x0E-\\x1F\\x7F-\\x9F'];

/** A visible character, as far as these parts can tell. */
const seen = '[^\\x00-\\x20\\x7F-\\xA0]';

/** The JSON Schema of kinds whose patterns are unreadable, or that are checked by lists. */
const kinds = new Map<string | undefined, Json>(
  (
    [
      [externalId(), { pattern: `^ *${seen}[^${control}\\xA0]*$`, minLength: 1, maxLength: 255 }],
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
 * Patterns of text in requests. White space around a text is removed. A text that must not be empty needs a visible character. No
 * character matches two parts in a row, so the time is linear and not quadratic.
 */
export const patterns = {
  maybeEmpty: `^[ \\x0A\\x0D\\xA0]*(${seen}[^${controlInLines}]*)?$`,
  oneLine: `^[ \\xA0]*${seen}[^${control}]*$`,
  manyLines: `^[ \\x0A\\x0D\\xA0]*${seen}[^${controlInLines}]*$`,
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
