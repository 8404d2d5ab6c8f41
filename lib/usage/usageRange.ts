import { invalidField, invalidRequest } from '../errors/apiError.ts';
import { constant } from '../errors/constant.ts';
import { partsMax, type Resolution } from '../schemas/usageFields.ts';
import { dayMs, hourMs } from './usageKeys.ts';

export interface UsageRange {
  from: number;
  /** Not included. */
  to: number;
  resolution: Resolution;
}

export const partMs = { hour: hourMs, day: dayMs } as const;

const defaultParts = { hour: 24, day: 30 } as const;

/** The latest time whose year has four digits. */
const latest = Date.UTC(9999, 11, 31);

/** Returns the range of a query in whole hours or days. @throws ApiError 400 if it is empty or too long */
export function rangeOf(
  { from, to, resolution }: { from?: string | undefined; to?: string | undefined; resolution: Resolution },
  now: number,
): UsageRange {
  const part = partMs[resolution];
  const given = from === undefined ? undefined : Math.floor(Date.parse(from) / part) * part;
  const longest = partsMax[resolution] * part;
  const end =
    to === undefined
      ? Math.min(Math.ceil(now / part) * part, given === undefined ? latest : given + longest)
      : Math.min(Math.ceil(Date.parse(to) / part) * part, latest);
  const start = given ?? end - defaultParts[resolution] * part;
  if (start >= end) throw invalidField(constant`from`, constant`must be before to, which defaults to now`);
  if (end - start > longest)
    throw invalidRequest(
      constant`from and to must be at most ${partsMax.hour / 24} days apart with resolution=hour, and ${partsMax.day} days with resolution=day`,
    );
  return { from: start, to: end, resolution };
}

export const timesIn = ({ from, to, resolution }: UsageRange): number[] =>
  Array.from({ length: (to - from) / partMs[resolution] }, (_, i) => from + i * partMs[resolution]);
