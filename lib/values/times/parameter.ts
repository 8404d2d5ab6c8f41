import * as z from 'zod';
import { time } from '../fields.ts';
import { inUtc, timeRule } from './times.ts';

/** Longer than any time with a fraction of seconds that clocks have. */
export const timeMax = 64;

/** The last millisecond that has a year of four digits. */
const last = Date.parse('9999-12-31T23:59:59.999Z');

/** Records have times in milliseconds. The end of a range within a millisecond means the next one. */
const inMilliseconds = (text: string): string => {
  const [, rest = ''] = /(?!60)\d\d[.,]\d{3}(\d+)/.exec(text) ?? [];
  const at = /[1-9]/.test(rest) ? Date.parse(inUtc(text) ?? '') : Number.NaN;
  return Number.isNaN(at) ? text : new Date(Math.min(at + 1, last)).toISOString();
};

/** A time in a query. */
export const moment = () =>
  z
    .string(timeRule)
    .max(timeMax, { error: timeRule, abort: true })
    .overwrite(inMilliseconds)
    .pipe(time())
    .optional();
