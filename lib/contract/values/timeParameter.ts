import * as z from 'zod';
import { inRfc3339, time, timeMax, timeRule } from './time.ts';

/** Records have times in milliseconds. The end of a range within a millisecond means the next one. */
const inMilliseconds = (text: string): string => {
  const [, whole, rest = '', offset] = /^(.*\.\d{3})(\d+)(Z|[+-][\d:]+)$/.exec(text) ?? [];
  const at = /[1-9]/.test(rest) ? Date.parse(`${whole}${offset}`) + 1 : Number.NaN;
  return Number.isNaN(at) ? text : new Date(at).toISOString();
};

/** A time in a query. */
export const moment = () =>
  z
    .string(timeRule)
    .max(timeMax, { error: timeRule, abort: true })
    .overwrite((text) => inMilliseconds(inRfc3339(text)))
    .pipe(time())
    .optional();
