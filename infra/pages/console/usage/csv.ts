import type { UsageAnswer } from '../../../../lib/contract/console/usage.ts';
import { timeZone } from '../locale.ts';
import type { UsageGroup } from './calls.ts';
import { stamped } from './range.ts';

/**
 * Where a spreadsheet may begin a formula: at the start of a text, and behind whatever separates cells for one of another language,
 * also over characters that it may leave out. Some take the full-width signs, and other forms of the same ones, too.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const formula =
  /^[\s\p{C}\p{Z}\p{DI}]*[-=+@\u2212\u207a-\u207c\u208a-\u208c\ufb29\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20]/u;

/** A text with an apostrophe wherever a formula could begin. */
const withoutFormulas = (text: string): string =>
  text
    .split(/([,;|"\t\r\n])/)
    .map((part) => (formula.test(part) ? `'${part}` : part))
    .join('');

const cell = (value: string | number): string => {
  const text = typeof value === 'string' ? withoutFormulas(value) : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** The answer as a table of comma-separated values (RFC 4180): a line for each time, a column for each group. */
export function csvOf(answer: UsageAnswer, nameOf: (group: UsageGroup) => string): string {
  const { times, groups, resolution } = answer;
  const lines = times.map((time, n) => [
    stamped(time, answer),
    ...groups.map(({ requests }) => requests[n] as number),
  ]);
  const time = resolution === 'hour' ? `hour (${timeZone()})` : 'day (UTC)';
  return [[time, ...groups.map(nameOf)], ...lines].map((line) => `${line.map(cell).join(',')}\r\n`).join('');
}

/** Lets the browser save a text as a file. */
export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun, and has its own hold on the content.
  URL.revokeObjectURL(url);
}
