import { integer, oneOf } from './fields.ts';
import { lazy } from './lazy.ts';
import { list, object, orNull } from './structure.ts';
import { moment, time } from './times.ts';

/** The lengths of the periods in which requests are counted. */
export const resolutions = ['hour', 'day'] as const;
export type Resolution = (typeof resolutions)[number];

/** How many periods a response can contain: seven days of hours, or 400 days. */
export const partsMax = { hour: 7 * 24, day: 400 } as const;

export const statusClasses = ['2xx', '4xx', '5xx'] as const;
export type StatusClass = (typeof statusClasses)[number];

export const usageRange = () => ({
  /** Rounded down to the resolution. By default, 24 hours or 30 days before the end. */
  from: moment(),
  /** Not included; rounded up to the resolution. By default now, or the end of the longest range after `from`. */
  to: moment(),
  resolution: oneOf(...resolutions).default('hour'),
});

/** The time within which API Gateway responded to 95 % of the requests; `null` if there were none. */
const p95 = () => orNull(integer({ min: 0 }));

export const usageTimes = () => ({
  from: time(),
  to: time(),
  resolution: oneOf(...resolutions),
  /** The starts of the periods, oldest first, without gaps. */
  times: list(time(), { max: partsMax.day }),
  /** For all groups together. */
  p95_ms: p95(),
});

export const usageCounts = () => ({
  /** One number for each period in `times`. */
  requests: list(integer({ min: 0 }), { max: partsMax.day }),
  total: integer({ min: 0 }),
  p95_ms: p95(),
});

export const usageGroup = /* @__PURE__ */ lazy(() =>
  object({ status_class: oneOf(...statusClasses), ...usageCounts() }),
);
