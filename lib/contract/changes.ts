import * as z from 'zod';
import { type ResourceType, resourceTypes } from '../resources/index.ts';
import { operation } from '../resources/operation.ts';
import { type Schemas, schemas } from '../resources/schemas.ts';
import { boolean, id, integer, oneOf } from '../values/fields.ts';
import { flag, wordList } from '../values/filters.ts';
import { lazy } from '../values/lazy.ts';
import { limitMax, pageQuery } from '../values/lists.ts';
import { list, object, orNull } from '../values/structure.ts';
import { text } from '../values/texts.ts';
import { time } from '../values/times.ts';
import { eventResourceTypes, eventTypePatterns, eventTypes, exampleType, readScopes } from './eventTypes.ts';
import { origin } from './origin.ts';

/** The number before that of the first change. */
export const beforeAll = -1;

type RecordNow = {
  [Type in ResourceType]: z.ZodOptional<z.ZodNullable<ReturnType<Schemas[Type]['record']>>>;
};

/**
 * The present record with `include=resource`, under the type of the resource; `null` when it is deleted. It is no union, because
 * generators of clients make nothing of one. A subscription is read by its id.
 */
const recordNow = () =>
  Object.fromEntries(
    resourceTypes.map((type) => [type, orNull(schemas[type].record()).optional()]),
  ) as RecordNow;

export const change = /* @__PURE__ */ lazy(() =>
  object({
    /** Changes of an account are numbered 0, 1, 2, … without gaps. */
    number: integer({ min: 0 }),
    /** The id of the webhook event about this change. */
    id: id('evt'),
    type: oneOf(...eventTypes),
    at: time(),
    resource: object({
      type: oneOf(...eventResourceTypes),
      id: text(40),
      version: integer({ min: 1 }),
    }),
    /** Empty when the record was created. */
    changed_fields: list(text(64), { max: 100 }),
    origin: origin(),
    /** Only of a deletion: the id of the record that is there in its place. */
    merged_into: orNull(text(40)).optional(),
    ...recordNow(),
  }),
);
export type Change = z.output<ReturnType<typeof change>>;

/** A page of changes. Those that the key or `types` leave out have numbers, too. */
export const changeList = /* @__PURE__ */ lazy(() =>
  object({
    data: list(change(), { max: limitMax }),
    pagination: object({
      limit: integer({ min: 1, max: limitMax }),
      offset: integer({ min: 0 }),
      total: integer({ min: 0 }),
      /** Whether there may be more changes after this page. */
      has_more: boolean(),
      /** The `after` of the next request. */
      next_after: integer({ min: beforeAll }),
    }),
  }),
);
export type ChangeList = z.output<ReturnType<typeof changeList>>;

const [typesMax, wordMax] = [50, 32];
const typesRule = `must be 1 to ${typesMax} types of changes, separated by commas, as in contact.*,${exampleType}: each is *, or one of ${eventResourceTypes.join(', ')} with a dot and * or a word of a-z and _ of at most ${wordMax} characters after it`;
const typeForm = `(?:\\*|(?:${eventResourceTypes.join('|')})\\.(?:\\*|[a-z_]{1,${wordMax}}))`;
const typeItem = { pattern: `^${typeForm}$`, minLength: 1, maxLength: 2 * wordMax + 1 };

/**
 * Types, separated by commas. Events of a resource may be added within v1, so one that is not known is not a mistake: no change has it. A
 * resource that is not known is: its reader would pass over every change.
 */
const types = () =>
  wordList(typesRule, [...eventTypes, ...eventTypePatterns])
    .regex(new RegExp(`^${typeForm}(?:,${typeForm}){0,${typesMax - 1}}$`), typesRule)
    .meta({ listed: { maxItems: typesMax, items: typeItem } })
    .transform((sent) => sent.split(','))
    .optional();

const afterMax = Number.MAX_SAFE_INTEGER;
const afterRule = `must be an integer from ${beforeAll} to ${afterMax}`;

const after = () =>
  z
    .string(afterRule)
    .regex(/^(?:-1|0|[1-9][0-9]{0,15})$/, { error: afterRule, abort: true })
    .transform(Number)
    .pipe(z.number(afterRule).min(beforeAll, afterRule).max(afterMax, afterRule))
    .optional();

export const changeQuery = /* @__PURE__ */ lazy(() =>
  object({
    ...pageQuery().shape,
    /** A page with it covers `limit` numbers, as `total` counts them. A page without it has `limit` changes. */
    offset: pageQuery().shape.offset.removeDefault().optional(),
    after: after(),
    types: types(),
    include: oneOf('resource').optional(),
    exclude_own: flag(),
    sort: oneOf('number', '-number').default('number'),
  }),
);
export type ChangeQuery = z.output<ReturnType<typeof changeQuery>>;

export const listChanges = /* @__PURE__ */ operation({
  id: 'listChanges',
  method: 'GET',
  path: '/changes',
  scope: readScopes,
  summary: 'List changes',
  query: changeQuery,
  success: { status: 200, headers: ['Link'] },
});
