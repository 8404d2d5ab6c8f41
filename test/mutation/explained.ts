/** An equivalent mutant, which no test can kill, and the reason. White space counts as one blank. */
interface Explained {
  file: string;
  /** The code that was replaced. */
  original: string;
  replacement: string;
  reason: string;
}

export const explained: readonly Explained[] = [
  {
    file: 'lib/keys/access.ts',
    original: 'end !== undefined',
    replacement: 'true',
    reason: 'No comparison with undefined is true, so the other half of the condition says the same.',
  },
  {
    file: 'lib/ids.ts',
    original: 'bits >= 5',
    replacement: 'bits > 5',
    reason: 'Five bits that wait are written before the next byte, or at the end: the text is the same.',
  },
  {
    file: 'lib/records/range.ts',
    original: '[]',
    replacement: '["Stryker was here"]',
    reason: 'DynamoDB answers every query with a list; the default is there for the type.',
  },
  ...['/^\\[|\\]|\\.$/g', '/\\[|\\]$|\\.$/g'].map((replacement) => ({
    file: 'lib/values/receiverUrl.ts',
    original: '/^\\[|\\]$|\\.$/g',
    replacement,
    reason: 'The host name of a URL has brackets at its ends or nowhere.',
  })),
  {
    file: 'lib/values/receiverUrl.ts',
    original: "'custom'",
    replacement: '""',
    reason: 'Nothing reads the code of an issue that has its message.',
  },
  ...[
    ['{ once: true }', '{}'],
    ['true', 'false'],
  ].map(([original = '', replacement = '']) => ({
    file: 'lib/webhooks/sending/address.ts',
    original,
    replacement,
    reason: 'A signal aborts once.',
  })),
  ...[
    [
      "'0'",
      '""',
      'Of the exponent: an empty text is the number 0. Of zero: both sides of the comparison are the same.',
    ],
    ['[]', '["Stryker was here"]', 'The first entry is not read.'],
    ['whole === undefined', 'false', 'What is no number has the same form on both sides of the comparison.'],
  ].map(([original = '', replacement = '', reason = '']) => ({
    file: 'lib/values/exactNumber.ts',
    original,
    replacement,
    reason,
  })),
  {
    file: 'lib/values/json.ts',
    original: '{ return undefined; }',
    replacement: '{}',
    reason: 'A function without a return gives undefined.',
  },
  {
    file: 'lib/contract/values/languageTag.ts',
    original: 'i > singleton',
    replacement: 'i >= singleton',
    reason: 'A subtag of one character has no other usual case.',
  },
  {
    file: 'lib/values/shared.ts',
    original: 'parsed?.error?.issues[0]?.message',
    replacement: 'parsed?.error?.issues[0].message',
    reason: 'An error of zod has an issue.',
  },
  {
    file: 'lib/values/shared.ts',
    original: "'custom'",
    replacement: '""',
    reason: 'Nothing reads the code of an issue that has its message.',
  },
  {
    file: 'lib/values/json.ts',
    original: String.raw`/("(?:[^"\\]|\\[\s\S]?)*(?:"|$))(\s*:)?|[{}[\],]|-?\d[\d.eE+-]*/g`,
    replacement: String.raw`/("(?:[^"\\]|\\[\S\S]?)*(?:"|$))(\s*:)?|[{}[\],]|-?\d[\d.eE+-]*/g`,
    reason:
      'White space after a backslash is then matched as a character of its own: the string has the same end.',
  },
];
