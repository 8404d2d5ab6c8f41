// Test data: input of an attacker, made to cost as much work as possible.

/** Texts of about this many characters. */
export const hostileTexts = (size: number): Record<string, string> => {
  const repeated = (text: string) => text.repeat(Math.ceil(size / text.length));
  const [letters, marks] = ['a'.repeat(size / 2), '\u0301'.repeat(31)];
  return {
    // Each mark of the second kind belongs before all of the first: normalization moves them one by one.
    'combining marks in the wrong order': `a${'\u0301'.repeat(size / 2)}${'\u0327'.repeat(size / 2)}`,
    'combining marks in turn': `a${repeated('\u0301\u0327')}`,
    // As many in a row as a text may have.
    'combining marks in short rows': repeated(`a${'\u0301'.repeat(15)}${'\u0327'.repeat(15)}`),
    'letters before too many combining marks': `${letters}${marks}`,
    'letters before, between and after rows of combining marks': repeated(
      `${'a'.repeat(26)}${'\u0301'.repeat(29)}${'b'.repeat(26)}${'\u0301'.repeat(31)}${'c'.repeat(26)}`,
    ),
    'letters after too many combining marks': `${marks}${letters}`,
    'characters that become more': repeated('\u{1d160}'),
    letters: repeated('x'),
    capitals: repeated('X'),
    'white space around': ` ${repeated('\t \u00a0')}x${repeated(' ')}`,
    'white space and nothing else': repeated(' '),
    'a comma and white space': `, ${repeated(' ')}x`,
    'carriage returns': `x${repeated('\r\n')}x`,
    dots: repeated('a.'),
    'an address that never ends': `${repeated('a.')}@${repeated('b.')}`,
    'at signs': repeated('a@'),
    slashes: `x${repeated('/')}x`,
    brackets: repeated('('),
    quotes: repeated('"'),
    backslashes: repeated('\\'),
    digits: repeated('1'),
    'a time with a long fraction': `2026-03-01T09:30:00.${repeated('1')}x`,
    'a URL with a long host': `https://${repeated('a-')}.example`,
    'a URL in punycode': `https://xn--${repeated('a')}.example`,
    'a URL with steps up': `https://example.com/${repeated('../')}`,
    'a language tag that never ends': `de-${repeated('a1b2c3d4-')}`,
    'half characters': repeated('\ud800'),
    'control characters': repeated('\u0000'),
    emoji: repeated('😀'),
    'a name of every object': repeated('__proto__'),
  };
};

/** JSON texts of about this many bytes. */
export const hostileJson = (size: number): Record<string, string> => {
  const listOf = (entry: (i: number) => string) =>
    Array.from({ length: Math.ceil(size / (entry(0).length + 3)) }, (_, i) => entry(i)).join();
  return {
    ...jsonOf(hostileTexts(size / 2)),
    // An escape takes six bytes.
    ...jsonOf(hostileTexts(size / 6), ['half characters', 'control characters']),
    'a list of texts': `[${listOf((i) => `"t${i}"`)}]`,
    'a list of wrong texts': `[${listOf(() => '"\\u0000"')}]`,
    'a list of marks': `[${listOf(() => `"a${'\u0301'.repeat(100)}${'\u0327'.repeat(100)}"`)}]`,
    'a list of nulls': `[${listOf(() => 'null')}]`,
    'a list of objects': `[${listOf((i) => `{"a${i}":1}`)}]`,
    'a list of lists': `[${listOf(() => '[]')}]`,
    'an object of many names': `{${listOf((i) => `"n${i}":1`)}}`,
    'an object of many nulls': `{${listOf((i) => `"n${i}":null`)}}`,
    'an object of wrong names': `{${listOf((i) => `"N ${i}":null`)}}`,
    'an object of one name': `{${listOf(() => '"a":1')}}`,
    'an object of names that stand twice': `{${listOf((i) => `"n${i >> 1}":1`)}}`,
    'a long name': `{"${'n'.repeat(size)}":1}`,
    'marks in a name': `{"a${'\u0301'.repeat(size / 4)}${'\u0327'.repeat(size / 4)}":1}`,
    'lists in lists': '['.repeat(size / 2) + ']'.repeat(size / 2),
    'objects in objects': `${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`,
    'lists that never end': '['.repeat(size),
    'a number of many digits': '1'.repeat(size),
    'a number with a long fraction': `0.${'0'.repeat(size)}1`,
    'a number with a long exponent': `1e${'9'.repeat(size)}`,
    'a number that is almost none': '1e-324',
    'a list of numbers that are none': `[${listOf(() => '1e-999')}]`,
    'an object of numbers that are none': `{${listOf((i) => `"n${i}":1e999`)}}`,
    'numbers below long names': `${`{"${'n'.repeat(size / 50)}":`.repeat(20)}[${'1e999,'.repeat(size / 12)}1]${'}'.repeat(20)}`,
  };
};

const jsonOf = (texts: Record<string, string>, names = Object.keys(texts)): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, JSON.stringify(texts[name])]));

/** Texts of printable ASCII characters, for headers, paths and queries. */
export const hostileWireTexts = (size: number): Record<string, string> =>
  Object.fromEntries(
    Object.entries(hostileTexts(size))
      .map(
        ([name, text]) =>
          [
            name,
            text
              .replace(/[^\x20-\x7e]+/g, ' ')
              .trim()
              .slice(0, size),
          ] as const,
      )
      .filter(([, text]) => text.length > size / 2),
  );
