import { parse } from 'bcp-47';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { locale } from '../../../lib/values/fields.ts';

const kept = (tag: string): string | undefined => locale().safeParse(tag).data;

/** Another reading of the same grammar, without the languages of four to eight letters that it reserves. */
function isWellFormed(tag: string): boolean {
  const { language, privateuse, regular, irregular } = parse(tag, { normalize: false });
  if (language) return language.length < 4;
  return Boolean(regular ?? irregular) || privateuse.length > 0;
}

describe('a language tag', () => {
  // The examples of RFC 5646, appendix A, and all tags that are older than its grammar.
  test.each([
    ...['de', 'zh-Hant', 'sr-Latn', 'zh-cmn-Hans-CN', 'cmn-Hans-CN', 'zh-yue-HK', 'sr-Latn-RS', 'sl-rozaj'],
    ...['sl-rozaj-biske', 'sl-nedis', 'de-CH-1901', 'sl-IT-nedis', 'hy-Latn-IT-arevela', 'es-419'],
    ...['de-CH-x-phonebk', 'az-Arab-x-aze-derbend', 'x-whatever', 'qaa-Qaaa-QM-x-southern', 'de-Qaaa'],
    ...['en-US-u-islamcal', 'zh-CN-a-myext-x-private', 'en-a-myext-b-another', 'x-private', 'tlh'],
    ...['en-GB-oed', 'i-ami', 'i-bnn', 'i-default', 'i-enochian', 'i-hak', 'i-klingon', 'i-lux', 'i-mingo'],
    ...['i-navajo', 'i-pwn', 'i-tao', 'i-tay', 'i-tsu', 'sgn-BE-FR', 'sgn-BE-NL', 'sgn-CH-DE', 'art-lojban'],
    ...['cel-gaulish', 'no-bok', 'no-nyn', 'zh-guoyu', 'zh-hakka', 'zh-min', 'zh-min-nan', 'zh-xiang'],
    ...['en-CA-x-ca', 'az-Latn-x-latn', 'de-1901-1901', `x-${'a1b2c3d4-'.repeat(3)}a1b2`],
  ])('%s is well-formed, and kept in this case whatever the case it comes in', (tag) => {
    for (const sent of [tag, tag.toLowerCase(), tag.toUpperCase(), ` ${tag} `, tag.replaceAll('-', '_')])
      expect(kept(sent)).toBe(tag);
  });

  test.each([
    ...['', '-', 'a', 'x', 'x-', 'i', 'i-', 'i-nothing', 'de-', '-de', 'de--DE', 'de-DE-', 'de-419-DE'],
    ...[
      'ar-a-aaa-b',
      'en-u',
      'en-x',
      'abcdefghi',
      'de-abcdefghi',
      'abcd-abc',
      'en-abc-def-ghi-jkl',
      'x-abcdefghi',
    ],
    ...[
      'en-GB-oed-x-y',
      'sgn-BE-FR-x',
      '*',
      'de-*',
      'dé',
      'de-Ⅾe',
      '\u212al',
      'i-\u212alingon',
      '\u017fl',
      'i-\nlux',
      'en\n-GB',
    ],
    // Names of no language, as programs and people write them.
    ...['null', 'root', 'English', 'a'.repeat(8)],
  ])('%j is not', (tag) => {
    expect(kept(tag)).toBeUndefined();
  });

  test('is at most 35 characters long, and no more characters are read', () => {
    expect(kept(`de-x-${'abc-'.repeat(7)}ab`)).toBeDefined();
    expect(kept(`de-x-${'abc-'.repeat(7)}abc`)).toBeUndefined();
  });

  test('matches another implementation of the grammar', () => {
    const subtag = fc.oneof(
      fc.constantFrom(
        ...['x', 'i', 'a', 'U', '1', 'de', 'EN', 'sgn', 'zh', 'abc', 'Latn', '419', '1996', '1abc'],
      ),
      fc.constantFrom(...['rozaj', 'oed', 'BE', 'FR', 'min', 'nan', 'klingon', 'abcdefgh', '', 'é']),
      fc.stringMatching(/^[a-zA-Z0-9]{1,9}$/),
    );
    fc.assert(
      fc.property(fc.array(subtag, { minLength: 1, maxLength: 6 }), (subtags) => {
        const tag = subtags.join('-');
        fc.pre(tag.length <= 35 && tag !== '');
        expect(kept(tag) !== undefined, tag).toBe(isWellFormed(tag));
      }),
      { numRuns: 5000 },
    );
  });
});
