import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { address, addressDraft, addressPatch, blankAddress } from '../../../lib/values/addresses.ts';
import { boolean, email, integer } from '../../../lib/values/fields.ts';
import { problemsOf, sentence } from '../../../lib/values/problemMessages.ts';
import {
  customFields,
  customFieldsDraft,
  customFieldsPatch,
  mergeCustomFields,
  serverFields,
} from '../../../lib/values/shared.ts';
import { completed, list, object, orNull, tags, wordsOf } from '../../../lib/values/structure.ts';
import { inUsualCase } from '../../../lib/values/texts/languageTag.ts';
import { multilineText, snapshotText, text } from '../../../lib/values/texts/texts.ts';

const problems = (schema: z.ZodType, value: unknown): string[] => problemsOf(schema.safeParse(value).error);

describe('text', () => {
  const rule =
    'must be a string of 1 to 3 characters, at least one of them visible, without control characters, lone surrogates, U+202D, U+202E, other changes of the writing direction that do not end in it, U+FFFD, or tag characters (U+E0000 to U+E007F) outside an emoji flag, and with at most 30 combining marks in a row';

  test.each([
    [' a b\n', 'a b'],
    ['a\tb', 'a b'],
    ['a\r\n\u2028b', 'a b'],
    ['\u2068 a\u2069', 'a'],
    ['a\u0308', 'ä'],
    ['👍👍👍', '👍👍👍'],
    ['\u200da', '\u200da'],
    ['\u2800\u00ada', '\u2800\u00ada'],
    ['\u{16d63}\u{16d67}\u{16d67}'.repeat(3), '\u{16d6a}'.repeat(3)],
  ])('%j is kept as %j', (sent, kept) => {
    expect(text(3).parse(sent)).toBe(kept);
  });

  test.each([
    ['', 'nothing to see'],
    [' ', 'nothing to see'],
    ['\u2800', 'nothing to see'],
    ['\u00ad\u200b', 'nothing to see'],
    ['\u{1d159}', 'nothing to see'],
    ['abcd', 'more characters'],
    ['x'.repeat(18), 'more characters'],
    ['x'.repeat(19), 'more characters'],
    ['x'.repeat(100_000), 'more characters'],
    ['a\u0007', 'a control character'],
    ['a\u202eb', 'U+202D or U+202E'],
    ['a\u2066b', 'a change of the writing direction without its end'],
    ['a\u202cb', 'a change of the writing direction without its end'],
    ['a\ufffd', 'U+FFFD, which stands for what could not be decoded'],
    ['\ud800', 'a lone surrogate'],
    ['a\u{e0041}', 'tag characters'],
    [7, undefined],
  ])('%.20j is refused once, with what is wrong with it: %s', (sent, fault) => {
    expect(problems(text(3), sent)).toEqual([fault === undefined ? rule : `${rule} (it has ${fault})`]);
  });

  test('keeps changes of the writing direction that end in it', () => {
    for (const sent of [
      '\u2068a\u2069 b',
      'a \u202ab\u202c',
      '\u2067a\u2069\u2066b\u2069',
      '\u2066a\u202bb\u202c c\u2069 d',
    ])
      expect(text(12).parse(sent)).toBe(sent);
  });

  test('has at most 30 combining marks in a row, in every kind of text', () => {
    const marks = (count: number) => `x${'\u0304'.repeat(count)}`;
    expect(text(70).parse(`${marks(30)}${marks(30)}`)).toHaveLength(62);
    const kinds = [text(70), multilineText(70), multilineText(70, { min: 0 }), email()];
    for (const kind of kinds)
      for (const sent of [marks(31), `${marks(30)}${marks(31)} a`, '\u0304'.repeat(31)])
        expect(problems(kind, sent)).toEqual(['must be text with at most 30 combining marks in a row']);
    // In a snapshot, more are dropped.
    expect(snapshotText(70).parse(`${marks(40)} ${marks(31)}`)).toBe(
      snapshotText(70).parse(`${marks(30)} ${marks(30)}`),
    );
    expect(problems(customFields(), { a: marks(31) })).toEqual([
      expect.stringContaining('at most 30 combining marks in a row'),
    ]);
  });

  test('may hold tag characters in the flag of a region, and nowhere else', () => {
    const scotland = '\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}';
    expect(text(7).parse(scotland)).toBe(scotland);
    for (const sent of ['Bob\u{E0041}', scotland.slice(2), scotland.slice(0, -2)])
      expect(problems(text(7), sent)).toEqual([
        expect.stringMatching(/\(it has (?:tag characters|nothing to see)\)$/),
      ]);
  });

  test('that may be empty says so', () => {
    expect(multilineText(3, { min: 0 }).parse('  ')).toBe('');
    expect(problems(multilineText(3, { min: 0 }), 'abcd')).toEqual([
      `${rule.replace('a string', 'an empty string, or one')} (newlines are allowed) (it has more characters)`,
    ]);
  });

  test('of several lines has newlines', () => {
    expect(multilineText(9).parse('a\r\n\nb\rc\u2029d\n')).toBe('a\n\nb\nc\nd');
    expect(problems(multilineText(3), '\n')).toEqual([
      `${rule} (newlines are allowed) (it has nothing to see)`,
    ]);
  });
});

describe('an object', () => {
  const point = object({ x: integer({ min: 0 }), y: integer({ min: 0 }) });

  test.each([
    [
      { x: 1, y: 2, z: 3, 'a b': 4 },
      ['z is not known here (allowed: x, y)', '"a b" is not known here (allowed: x, y)'],
    ],
    [{ x: 1 }, ['y is required and must be an integer from 0 to 9007199254740991']],
    [[], ['must be a JSON object']],
    [undefined, ['is required and must be a JSON object']],
  ])('%j is refused', (value, sentences) => {
    expect(problems(point, value)).toEqual(sentences);
  });

  test('in a list is named by its place', () => {
    expect(
      problems(list(point, { max: 2 }), [
        { x: 1, y: 2 },
        { x: -1, y: 2, z: 3 },
      ]),
    ).toEqual([
      '[1].x must be an integer from 0 to 9007199254740991',
      '[1].z is not known here (allowed: x, y)',
    ]);
  });

  test('that is sent takes the fields that are missing or null from a blank one', () => {
    const whole = object({ name: orNull(text(5)), count: integer({ min: 0 }), given: boolean() });
    const sent = completed(whole, { name: null, count: 7 });
    expect(sent.parse({ given: true })).toEqual({ name: null, count: 7, given: true });
    expect(sent.parse({ given: true, name: null, count: null })).toEqual({
      name: null,
      count: 7,
      given: true,
    });
    expect(problems(sent, { given: null })).toEqual(['given must be true or false']);
    expect(problems(sent, { count: 1 })).toEqual(['given is required and must be true or false']);
    expect(problems(sent, { given: true, more: 1 })).toEqual([
      'more is not known here (allowed: name, count, given)',
    ]);
  });

  test('that is sent is held against a demand even when its fields have problems, if it is one', () => {
    const whole = object({ a: orNull(text(5)), b: orNull(text(5)) });
    const rule = 'must have a or b';
    const sent = completed(whole, { a: null, b: null }, { holds: ({ a, b }) => Boolean(a || b), rule });
    expect(problems(sent, {})).toEqual([rule]);
    expect(problems(sent, { c: 1 })).toEqual(['c is not known here (allowed: a, b)', rule]);
    expect(problems(sent, { a: 'x', c: 1 })).toEqual(['c is not known here (allowed: a, b)']);
    expect(problems(sent, [])).toEqual(['must be a JSON object']);
    expect(sent.parse({ b: 'x' })).toEqual({ a: null, b: 'x' });
  });
});

describe('a list', () => {
  test.each([
    [{ max: 2 }, 'must be a list of at most 2 entries'],
    [{ min: 1, max: 2 }, 'must be a list of 1 to 2 entries'],
  ])('with the limits %j has them', (limits, rule) => {
    const some = list(boolean(), limits);
    expect(some.parse([true, false])).toEqual([true, false]);
    expect(problems(some, [true, true, true])).toEqual([rule]);
    expect(problems(some, {})).toEqual([rule]);
    expect(problems(some, [])).toEqual('min' in limits ? [rule] : []);
  });

  test('of tags is a set, sorted, from at most fifty entries with repetitions', () => {
    const rule = 'must be a list of at most 50 strings';
    const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`);
    expect(tags().parse(['b', ' a', 'b', 'a'])).toEqual(['a', 'b']);
    expect(tags().parse(words(50))).toHaveLength(50);
    expect(tags().parse(Array(50).fill('w1'))).toEqual(['w1']);
    expect(problems(tags(), words(51))).toEqual([rule]);
    expect(problems(tags(), Array(51).fill('w1'))).toEqual([rule]);
    expect(problems(tags(), Array(51).fill(1))).toEqual([rule]);
    expect(problems(tags(), 'w1')).toEqual([rule]);
  });

  test('of known words is a set, sorted, from as many entries as are allowed, with repetitions', () => {
    const rule = 'must be a list of 1 to 2 entries';
    const some = wordsOf({ min: 1, max: 2 }, 'b', 'a', 'c');
    expect(some.parse(['b', 'a'])).toEqual(['a', 'b']);
    expect(some.parse(['b', 'b'])).toEqual(['b']);
    expect(some.parse([' b\u200b', ''])).toEqual(['b']);
    expect(problems(some, ['', null])).toEqual([rule]);
    expect(problems(some, ['b', 'a', 'b'])).toEqual([rule]);
    expect(problems(some, ['a', 'b', 'c'])).toEqual([rule]);
    expect(problems(some, [])).toEqual([rule]);
    expect(problems(some, 'a')).toEqual([rule]);
    expect(problems(some, ['d'])).toEqual(['[0] must be one of b, a, c']);
  });
});

describe('a problem', () => {
  test.each([
    [[], 'must be'],
    [['a', 0, 'b'], 'a[0].b must be'],
    [[0, 1], '[0][1] must be'],
    [['a b', 'c'], '"a b".c must be'],
    [
      ['x'.repeat(60), 'y'.repeat(60), 'z'.repeat(60), 'w'.repeat(17)],
      `${'x'.repeat(60)}.${'y'.repeat(60)}.${'z'.repeat(60)}.${'w'.repeat(17)} must be`,
    ],
    [
      ['x'.repeat(60), 'y'.repeat(60), 'z'.repeat(60), 'w'.repeat(18)],
      `${'x'.repeat(60)}.${'y'.repeat(60)}.${'z'.repeat(60)}.${'w'.repeat(17)}… must be`,
    ],
    [['x'.repeat(64)], `${'x'.repeat(64)} must be`],
    [['x'.repeat(65)], `"${'x'.repeat(64)}…" must be`],
    [['a"\\é 😀'], '"a\\"\\\\é 😀" must be'],
    [['\u001b\n\u007f\u009b'], String.raw`"\u001b\n\u007f\u009b" must be`],
    [['\u202a\u202b\u202c\u202d\u202e'], String.raw`"\u202a\u202b\u202c\u202d\u202e" must be`],
    [['\u2066\u2067\u2068\u2069'], String.raw`"\u2066\u2067\u2068\u2069" must be`],
    [
      ['\u200b\u200e\u2028\u2029\u2060\u061c\u00ad'],
      String.raw`"\u200b\u200e\u2028\u2029\u2060\u061c\u00ad" must be`,
    ],
    [['\ufeff\ufff9\u{e0001}\ud800'], String.raw`"\ufeff\ufff9\udb40\udc01\ud800" must be`],
  ])('at %.60j names its field', (path, problem) => {
    expect(sentence(path, 'must be')).toBe(problem);
  });

  test('names fields as the caller wants', () => {
    expect(sentence(['a', 0, 'b'], 'must be', (name) => name.toUpperCase())).toBe('A[0].B must be');
    expect(problemsOf(object({}).safeParse({ a: 1 }).error, () => 'a field')).toEqual([
      'a field is not known here (allowed: )',
    ]);
    expect(problemsOf(undefined)).toEqual([]);
  });
});

describe('an address', () => {
  test('is null without any part', () => {
    expect(addressDraft().parse({ city: null })).toBeNull();
    expect(addressDraft().parse({})).toBeNull();
    expect(addressDraft().parse({ country: 'DE' })).toEqual({ ...blankAddress, country: 'DE' });
    expect(addressDraft().parse({ line1: 'a', city: 'b' })).toEqual({
      ...blankAddress,
      line1: 'a',
      city: 'b',
    });
  });

  test('has all parts in an answer, and some in a patch', () => {
    expect(problems(address(), { city: 'x' })).toHaveLength(5);
    expect(addressPatch().parse({ city: null })).toEqual({ city: null });
  });
});

test('versions start at 1', () => {
  expect(problems(serverFields().version, 0)).toEqual(['must be an integer from 1 to 9007199254740991']);
  expect(serverFields().version.parse(1)).toBe(1);
});

describe('custom fields', () => {
  const many = (count: number, value: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, value]));
  const name = `a${'0'.repeat(39)}`;

  test.each([
    0,
    -0,
    Number.MAX_SAFE_INTEGER,
    -Number.MAX_SAFE_INTEGER,
    1e-130,
    -1e-130,
    0.5,
    true,
    false,
    '',
    'x'.repeat(500),
  ])('may hold %.20j', (value) => {
    expect(customFields().parse({ [name]: value })).toEqual({ [name]: value === 0 ? 0 : value });
  });

  test.each(['A', '1a', '_a', 'a-b', '', 'a b', `${name}0`, '-a', 'aB', '__proto__'])(
    'may not be named %j',
    (key) => {
      const sent = JSON.parse(`{${JSON.stringify(key)}: 1}`);
      expect(problems(customFields(), sent)).toEqual([
        expect.stringMatching(/ is not a name for a custom field: a-z first, then up to 39 of a-z 0-9 _$/),
      ]);
    },
  );

  test('are at most fifty, and five hundred with those that are removed', () => {
    const rule = 'must be a JSON object of at most 50 fields, and of at most 500 with those that are null';
    expect(problems(customFields(), many(50, 1))).toEqual([]);
    expect(problems(customFields(), { ...many(51, 1), '1a': 1 })).toEqual([rule]);
    expect(problems(customFieldsPatch(), many(501, null))).toEqual([rule]);
    for (const value of [null, [1], 'text', 7]) expect(problems(customFields(), value)).toEqual([rule]);
    expect(customFields().parse([])).toEqual({});
  });

  test.each([501, 3001])('that are a text of %s characters are refused with the rule of texts', (length) => {
    expect(problems(customFields(), { a: 'x'.repeat(length) })).toEqual([
      expect.stringMatching(/^a must be an empty string, or one of 1 to 500 characters/),
    ]);
  });

  test('are merged name by name, and null removes one', () => {
    expect(mergeCustomFields({ a: 1, b: 2, c: '' }, { b: null, c: false, d: 0 })).toEqual({
      a: 1,
      c: false,
      d: 0,
    });
    expect(customFieldsDraft().parse({ a: 1, b: null })).toEqual({ a: 1 });
  });
});

test.each([
  ['DE-latn-de-X-DE-LATN', 'de-Latn-DE-x-de-latn'],
  ['EN-gb', 'en-GB'],
  ['en-a-BBBB-x-cc', 'en-a-bbbb-x-cc'],
  ['X-DE', 'x-de'],
  ['zh-hant', 'zh-Hant'],
])('the tag %s is usually written %s', (tag, usual) => {
  expect(inUsualCase(tag)).toBe(usual);
});
