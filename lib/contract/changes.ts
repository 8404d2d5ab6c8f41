import * as z from 'zod';
import { contact } from './contacts.ts';
import { eventRegistration } from './eventRegistrations.ts';
import { type EventResourceType, eventScopes, eventTypes, readScopes } from './eventTypes.ts';
import { lazy, operation } from './operation.ts';
import { order } from './orders.ts';
import { boolean, id, integer, oneOf, text } from './values/fields.ts';
import { limitMax, pageFields, pageQuery } from './values/lists.ts';
import { list, object, orNull } from './values/structure.ts';
import { time } from './values/time.ts';

/** The number before that of the first change. */
export const beforeAll = -1;

/** One change of a record or of a subscription. It has the record only if the request asks for it. */
export const change = lazy(() =>
  object({
    /** Changes of an account are numbered 0, 1, 2, … without gaps. */
    number: integer({ min: 0 }),
    /** The id of the webhook event about this change. */
    id: id('evt'),
    type: oneOf(...eventTypes),
    at: time(),
    resource: object({
      type: oneOf(...(Object.keys(eventScopes) as [EventResourceType, ...EventResourceType[]])),
      id: text(40),
      version: integer({ min: 1 }),
    }),
    /** Empty when the record was created. */
    changed_fields: list(text(64), { max: 100 }),
    /** With `include=resource`: the record as it is now. `null` for a change of a subscription. */
    record: orNull(z.union([contact(), order(), eventRegistration()])).optional(),
  }),
);
export type Change = z.output<ReturnType<typeof change>>;

/** A page of changes. Those that the key or `types` leave out have numbers too. */
export const changeList = lazy(() =>
  object({
    data: list(change(), { max: limitMax }),
    pagination: object({
      ...pageFields(),
      /** Whether there may be more behind this page. An empty page is always the last. */
      has_more: boolean(),
      /** The `after` of the next request. */
      next_after: integer({ min: beforeAll }),
    }),
  }),
);
export type ChangeList = z.output<ReturnType<typeof changeList>>;

const [typesMax, wordMax] = [50, 32];
const typesRule = `must be 1 to ${typesMax} types of changes, separated by commas, as in contact.*,order.paid`;
const typeForm = `(?:\\*|[a-z_]{1,${wordMax}}\\.(?:\\*|[a-z_]{1,${wordMax}}))`;

/** Types, separated by commas. Types may be added within v1, so one that is not known is no mistake: no change has it. */
const types = () =>
  z
    .string(typesRule)
    .max(typesMax * 2 * (wordMax + 1), { error: typesRule, abort: true })
    .regex(new RegExp(`^${typeForm}(?:,${typeForm}){0,${typesMax - 1}}$`), typesRule)
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

export const changeQuery = lazy(() =>
  object({
    ...pageQuery().shape,
    after: after(),
    types: types(),
    include: oneOf('resource').optional(),
    sort: oneOf('number', '-number').default('number'),
  }),
);
export type ChangeQuery = z.output<ReturnType<typeof changeQuery>>;

export const listChanges = operation({
  id: 'listChanges',
  method: 'GET',
  path: '/changes',
  scope: [readScopes.contact, readScopes.order, readScopes.event_registration],
  summary: 'List changes',
  query: changeQuery,
  success: { status: 200, body: changeList, headers: ['Link'] },
});
