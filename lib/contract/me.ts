import type * as z from 'zod';
import { scopes } from '../resources/index.ts';
import { operation } from '../resources/operation.ts';
import { boolean, id, oneOf } from '../schemas/fields.ts';
import { lazy } from '../schemas/lazy.ts';
import { list, object, orNull } from '../schemas/structure.ts';
import { text } from '../schemas/texts.ts';
import { time } from '../schemas/times.ts';
import { statusClasses, usageGroup, usageRange, usageTimes } from '../schemas/usageFields.ts';

/** The key of a request: its description and its access, but never its text. */
export const me = /* @__PURE__ */ lazy(() =>
  object({
    key_id: id('key'),
    name: text(100),
    /** The last four characters of the key. */
    hint: text(4),
    /** Empty if the key has full access. */
    scopes: list(oneOf(...scopes), { max: scopes.length }),
    full_access: boolean(),
    account: text(64),
    /** When the key was created; `null` if an earlier release created it and nobody has changed it since. */
    created_at: orNull(time()),
    /** When this key expires; `null` for never. */
    expires_at: orNull(time()),
  }),
);
export type Me = z.output<ReturnType<typeof me>>;

export const getMe = /* @__PURE__ */ operation({
  id: 'getMe',
  method: 'GET',
  path: '/me',
  scope: null,
  summary: 'Retrieve the API key',
  success: { status: 200 },
});

export const myUsage = /* @__PURE__ */ lazy(() =>
  object({ ...usageTimes(), groups: list(usageGroup(), { max: statusClasses.length }) }),
);
export type MyUsage = z.output<ReturnType<typeof myUsage>>;

const myUsageQuery = /* @__PURE__ */ lazy(() => object(usageRange()));
export type MyUsageQuery = z.output<ReturnType<typeof myUsageQuery>>;

export const getMyUsage = /* @__PURE__ */ operation({
  id: 'getMyUsage',
  method: 'GET',
  path: '/me/usage',
  scope: null,
  summary: 'Retrieve the usage of the API key',
  query: myUsageQuery,
  success: { status: 200 },
});
