// The parameters that filter and sort a list of records. A value that no record has returns an empty list, and is no error.
import * as z from 'zod';
import { quoted } from '../errors/quoted.ts';
import { id, idForm, knownWord, oneOf } from './fields.ts';
import { lazy } from './lazy.ts';
import { limitMax, pageFields, pageQuery } from './lists.ts';
import { type Rule, readAs } from './reading.ts';
import { list, object, orNull } from './structure.ts';
import { trimmed, word } from './texts.ts';
import { moment, time } from './times.ts';

/** The orders of a list, by when a record was created in this API: oldest first, and newest first. */
export const sorts = ['created_at', '-created_at'] as const;

export const tagsMax = 10;

/** A parameter that may be repeated: a record must have all of the tags. Duplicates are removed, and the tags are sorted. */
export const tag = () => {
  const rule = `must be given 1 to ${tagsMax} times`;
  const one = word().refine(
    (sent) => !sent.includes(','),
    'must be given once for each tag, as in tag=vip&tag=customer, and without a comma',
  );
  return z
    .array(one, rule)
    .min(1, rule)
    .max(tagsMax, rule)
    .overwrite((words) => [...new Set(words)].sort())
    .optional();
};

/** How many words one parameter can have, and how many characters a word. */
export const [wordsMax, wordMax] = [20, 40];

/** How many characters a list of words can have in a request. This is longer than any list of other parameters. */
const sentMax = 4000;

/** Splits a list of words as clients send it: with commas, in one parameter or in several of the same name. */
const wordsIn = (sent: unknown, known: readonly string[]): unknown => {
  const joined = Array.isArray(sent) ? sent.join() : sent;
  if (typeof joined !== 'string' || joined.length > sentMax) return joined;
  const words = joined.split(',').map((one) => knownWord(one, known) ?? trimmed(one));
  return words.filter((one) => one !== '').join();
};

/**
 * Enum values, of which a record must have one. They are accepted in any case, deduplicated and sorted. An unknown value is allowed, because
 * later releases of v1 may add it; no record has it.
 */
export function anyOf(...knownWords: readonly string[]) {
  const { letters, form } = knownWords.some((word) => word.includes('.'))
    ? { letters: 'a-z, _ and .', form: /^[a-z_.]{1,40}(?:,[a-z_.]{1,40}){0,19}$/ }
    : { letters: 'a-z and _', form: /^[a-z_]{1,40}(?:,[a-z_]{1,40}){0,19}$/ };
  const rule = `must be 1 to ${wordsMax} words of ${letters}, at most ${wordMax} characters each, separated by commas (known: ${knownWords.join(', ')})`;
  return wordList(rule, knownWords)
    .regex(form, { error: rule, abort: true })
    .meta({ knownWords })
    .transform((words) => [...new Set(words.split(','))].sort())
    .optional();
}

/** A parameter that is on or off, and off by default. Python writes True. */
export const flag = () =>
  oneOf('true', 'false')
    .transform((sent) => sent === 'true')
    .pipe(z.boolean())
    .optional();

/**
 * A parameter with a list of words, whose form the caller checks. `isList` tells the reader of queries that it may be repeated.
 * @param known words that may be written in any case
 */
export const wordList = (rule: Rule, known: readonly string[] = []): z.ZodString =>
  readAs(z.string(rule).max(sentMax, { error: rule, abort: true }), (sent) => wordsIn(sent, known), {
    isList: true,
  });

/** How many ids one parameter can have: as many records as a page of changes can name. */
export const idsMax = limitMax;

/** A list of ids, of which a record must have one. Duplicates are removed. */
export function anyIdOf(prefix: string) {
  const form = idForm(prefix);
  const rule = `must be 1 to ${idsMax} ids of the form ${prefix}_ and 24 characters, separated by commas`;
  const length = prefix.length + '_'.length + 24;
  const isId = new RegExp(`^${form}$`);
  return wordList(rule)
    .check(({ value, issues }) => {
      const ids = value.split(',');
      const wrong = ids.find((one) => !isId.test(one));
      if (wrong === undefined && ids.length <= idsMax) return;
      const hint = wrong ? `${quoted(wrong)} is not one` : undefined;
      issues.push({ code: 'custom', message: rule, input: value, continue: false, params: { hint } });
    })
    .meta({
      listed: { maxItems: idsMax, items: { pattern: isId.source, minLength: length, maxLength: length } },
    })
    .transform((ids) => [...new Set(ids.split(','))])
    .optional();
}

/**
 * The query of a list of records: the page, the order, and filters. A record must match all filters.
 * @param prefix of the ids of these records
 * @param own the filters that only this list has
 */
export function recordQuery<Own extends z.ZodRawShape>(prefix: string, own: Own) {
  return object({
    ...pageQuery().shape,
    sort: oneOf(...sorts).default('created_at'),
    after: id(prefix).optional(),
    id: anyIdOf(prefix),
    ...own,
    created_since: moment(),
    created_before: moment(),
    updated_since: moment(),
  });
}

export const recordListOf = <Item extends z.ZodType>(item: () => Item) =>
  lazy(() =>
    object({
      data: list(item(), { max: limitMax }),
      pagination: object({
        ...pageFields(),
        /** The `updated_since` of the next pass. `null` on a later page, which does not know when its pass began. */
        next_updated_since: orNull(time()),
      }),
    }),
  );
