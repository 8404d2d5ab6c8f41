import type { UsageAnswer } from '../../../../lib/contract/console/usage.ts';
import type { UsageGroup } from './calls.ts';

/** A cell. A spreadsheet takes a text that begins like this for a formula, so such a text gets a quotation mark before it. */
const cell = (value: string | number): string => {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** The answer as a table of comma-separated values (RFC 4180): a line for each time, a column for each group. */
export function csvOf({ times, groups }: UsageAnswer, nameOf: (group: UsageGroup) => string): string {
  const lines = times.map((time, n) => [time, ...groups.map(({ requests }) => requests[n] as number)]);
  return [['time', ...groups.map(nameOf)], ...lines]
    .map((line) => `${line.map(cell).join(',')}\r\n`)
    .join('');
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
