import * as z from 'zod';
import { type ResourceType, resourceTypes } from '../resources/index.ts';
import { operation } from '../resources/operation.ts';
import { type Schemas, schemas } from '../resources/schemas.ts';
import { boolean, id, integer, oneOf } from '../schemas/fields.ts';
import { flag, wordList } from '../schemas/filters.ts';
import { lazy } from '../schemas/lazy.ts';
import { limitMax, pageFields, pageQuery } from '../schemas/lists.ts';
import { list, object, orNull } from '../schemas/structure.ts';
import { text } from '../schemas/texts.ts';
import { time } from '../schemas/times.ts';
import { eventResourceTypes, eventTypePatterns, eventTypes, exampleType, readScopes } from './eventTypes.ts';
import { origin } from './origin.ts';

/** The number before the first change, which has the number 0. */
export const beforeAll = -1;

type RecordNow = {
  [Type in ResourceType]: z.ZodOptional<z.ZodNullable<ReturnType<Schemas[Type]['record']>>>;
};

/**
 * The current record with `include=resource`, in a field named after its resource; `null` when it is deleted. This is no union, because client
 * generators cannot use one. Read a subscription by its id instead.
 */
const recordNow = () =>
  Object.fromEntries(
    resourceTypes.map((type) => [type, orNull(schemas[type].record()).optional()]),
  ) as RecordNow;

export const change = /* @__PURE__ */ lazy(() =>
  object({
    /** Numbers the changes of an account 0, 1, 2, … without gaps. */
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
    /** Empty if the change created the record. */
    changed_fields: list(text(64), { max: 100 }),
    origin: origin(),
    /** Only for a deletion: the id of the record that took its place. */
    merged_into: orNull(text(40)).optional(),
    ...recordNow(),
  }),
);
export type Change = z.output<ReturnType<typeof change>>;

/** A page of changes. Changes that the key or `types` leave out have numbers as well. */
export const changeList = /* @__PURE__ */ lazy(() =>
  object({
    data: list(change(), { max: limitMax }),
    pagination: object({
      ...pageFields(),
      /** Whether there may be more changes after this page. */
      has_more: boolean(),
      /** The value of `after` for the next request. */
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
 * Event types, separated by commas. An unknown type is allowed, because a later release of v1 may add it; no change has it yet. An unknown
 * resource is an error, because its reader would miss every change.
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
    /** With `offset`, a page covers `limit` numbers, as `total` counts them. Without it, a page contains `limit` changes. */
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
