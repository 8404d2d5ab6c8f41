import * as z from 'zod';
import { scopes } from '../../resources/index.ts';
import { id, integer, oneOf } from '../../schemas/fields.ts';
import { lazy } from '../../schemas/lazy.ts';
import { integerParameter } from '../../schemas/lists.ts';
import { ruleError } from '../../schemas/reading.ts';
import { list, object, orNull } from '../../schemas/structure.ts';
import { ofForm, text } from '../../schemas/texts.ts';
import { moment, time } from '../../schemas/times.ts';
import { statusClasses, usageCounts, usageRange, usageTimes } from '../../schemas/usageFields.ts';
import { consoleOperation } from './consoleOperation.ts';
import { countedOperations } from './countedOperations.ts';
import { groupKeysMax } from './groupKeysMax.ts';

export const groupings = ['status', 'key', 'operation'] as const;
export type Grouping = (typeof groupings)[number];

/** The maximum number of keys or operations in a response. The least used ones are left out. */
export const groupsMax = 1000;

const usageQuery = /* @__PURE__ */ lazy(() =>
  object({
    ...usageRange(),
    group_by: oneOf(...groupings).default('status'),
    key_id: id('key').optional(),
    /** Returns only requests of this operation. Counts of removed operations remain available with `group_by=operation`. */
    operation: oneOf(...countedOperations).optional(),
  }),
);
export type UsageQuery = z.output<ReturnType<typeof usageQuery>>;

export const usageReport = /* @__PURE__ */ lazy(() =>
  object({
    ...usageTimes(),
    group_by: oneOf(...groupings),
    /** The largest group first. Status classes are all listed, in their order. */
    groups: list(
      object({
        /** Only the field by which the requests are grouped is set. The others are `null`. */
        status_class: orNull(oneOf(...statusClasses)),
        key_id: orNull(id('key')),
        operation: orNull(text(64)),
        ...usageCounts(),
        /** How many of `total` got a 4xx or a 5xx. */
        failed: integer({ min: 0 }),
      }),
      { max: groupsMax },
    ),
  }),
);
export type UsageAnswer = z.output<ReturnType<typeof usageReport>>;

/** Counts are usually complete after three minutes. Do not bill by them, because CloudWatch Logs may lose lines. */
export const getUsage = /* @__PURE__ */ consoleOperation({
  id: 'getUsage',
  method: 'GET',
  path: '/api/usage',
  role: 'viewer',
  query: usageQuery,
  success: { status: 200 },
});

const pageMax = 100;

/** The maximum number of problems that are kept of a request. */
export const problemsMax = 20;

const nextBeforeRule = 'must be the next_before of a page';
const nextBefore = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)#[A-Za-z0-9+/=_-]{1,64}$/;

/** Whether a text is the key of a failed request, which consists of its time and its id. */
const isNextBefore = (text: string): boolean => {
  const at = nextBefore.exec(text)?.[1] ?? '';
  return !Number.isNaN(Date.parse(at)) && new Date(at).toISOString() === at;
};

const failureFilter = () => ({
  key_id: id('key').optional(),
  status_class: oneOf('4xx', '5xx').optional(),
  since: moment(),
  until: moment(),
});

/**
 * How many failed requests were only counted, by status class: when a key fails very often, not every request gets an entry. Hours at the ends
 * of a range count as a whole.
 */
const notKept = () => object({ '4xx': integer({ min: 0 }), '5xx': integer({ min: 0 }) });
export type NotKept = z.output<ReturnType<typeof notKept>>;

const failedRequestsQuery = /* @__PURE__ */ lazy(() =>
  object({
    limit: integerParameter({ min: 1, max: pageMax, preset: 50 }),
    /** The `next_before` of the previous page. */
    before: z.string(ruleError(nextBeforeRule)).refine(isNextBefore, nextBeforeRule).optional(),
    ...failureFilter(),
    /** Returns only requests of this group, by its `id`. */
    group: ofForm(/^[A-Za-z0-9_-]{22}$/, 'must be the id of a group of failed requests').optional(),
    request_id: ofForm(/^[!-~]{1,128}$/, 'must be a request id of at most 128 visible characters').optional(),
  }),
);
export type FailedRequestsQuery = z.output<ReturnType<typeof failedRequestsQuery>>;

/** A request that got a 4xx or a 5xx. It contains no value that the client sent. */
export const failedRequest = /* @__PURE__ */ lazy(() =>
  object({
    request_id: text(128),
    at: time(),
    key_id: id('key'),
    operation: text(64),
    method: text(10),
    /** Contains `{name}` for each parameter. */
    path: text(200),
    status: integer({ min: 400, max: 599 }),
    duration_ms: integer({ min: 0 }),
    /** The message of the response, without the values in it; `null` if unknown. */
    message: orNull(text(2000)),
    /** The scope that the key lacks, if that is the cause. */
    missing_scope: orNull(oneOf(...scopes)),
    problems: list(
      object({
        /** The field or parameter, as in `contacts[0].email`; `null` if the problem concerns no field of the contract. */
        field: orNull(text(200)),
        message: text(2000),
      }),
      { max: problemsMax },
    ),
  }),
);
export type FailedRequest = z.output<ReturnType<typeof failedRequest>>;

export const failedRequestsPage = /* @__PURE__ */ lazy(() =>
  object({
    data: list(failedRequest(), { max: pageMax }),
    pagination: object({
      limit: integer({ min: 1, max: pageMax }),
      /** `null` at the end of the list. */
      next_before: orNull(text(200)),
    }),
    /** Counted for all groups together. */
    not_kept: notKept(),
  }),
);
export type FailedRequestsAnswer = z.output<ReturnType<typeof failedRequestsPage>>;

/** Lists the requests of the last 14 days, newest first. A page may contain fewer than `limit` although there are more; `next_before` tells. */
export const listFailedRequests = /* @__PURE__ */ consoleOperation({
  id: 'listFailedRequests',
  method: 'GET',
  path: '/api/failed-requests',
  role: 'viewer',
  query: failedRequestsQuery,
  success: { status: 200 },
});

export const failureGroup = /* @__PURE__ */ lazy(() =>
  object({
    /** Finds the group's requests in the list: the value of the parameter `group`. */
    id: text(22),
    count: integer({ min: 1 }),
    first_at: time(),
    last_at: time(),
    /** The keys that made the requests, at most 25. */
    key_ids: list(id('key'), { max: groupKeysMax }),
    /** The newest request of the group, which shows the cause. */
    latest: failedRequest(),
  }),
);
export type FailureGroup = z.output<ReturnType<typeof failureGroup>>;

export const failureGroups = /* @__PURE__ */ lazy(() =>
  object({
    data: list(failureGroup(), { max: groupsMax }),
    /** Each of these may belong to any group of its class. */
    not_kept: notKept(),
    /** If there are too many requests to group, the time of the oldest grouped one; otherwise `null`. */
    grouped_since: orNull(time()),
  }),
);
export type FailureGroupsAnswer = z.output<ReturnType<typeof failureGroups>>;

/** Groups the kept requests of the last 14 days by operation, status and reason. The group that failed last comes first. */
export const groupFailedRequests = /* @__PURE__ */ consoleOperation({
  id: 'groupFailedRequests',
  method: 'GET',
  path: '/api/failed-requests/groups',
  role: 'viewer',
  query: lazy(() => object(failureFilter())),
  success: { status: 200 },
});
export type FailureFilter = z.output<ReturnType<typeof groupFailedRequests.query>>;
