import type * as z from 'zod';
import { scopes } from '../../resources/index.ts';
import { boolean, id, oneOf } from '../../schemas/fields.ts';
import { lazy } from '../../schemas/lazy.ts';
import { integerParameter } from '../../schemas/lists.ts';
import { list, object, orNull } from '../../schemas/structure.ts';
import { ofForm, text } from '../../schemas/texts.ts';
import { time } from '../../schemas/times.ts';
import { consoleOperation } from './consoleOperation.ts';
import { actor } from './consoleSession.ts';

/** Every kind of entry. Later releases may add kinds. */
export const actions = [
  'key.created',
  'key.renamed',
  'key.access_changed',
  'key.expiry_changed',
  'key.changed',
  'key.rotated',
  'key.revoked',
  'key.expires_soon',
  'subscription.created',
  'subscription.changed',
  'subscription.paused',
  'subscription.resumed',
  'subscription.rotated',
  'subscription.deleted',
  'subscription.tested',
  'subscription.redelivered',
  'link.created',
  'session.started',
  'session.ended',
] as const;

export type ActivityAction = (typeof actions)[number];

/** The author of a change: a person in the console, an operator, or the product's backend. `system` is the author when time alone causes a change. */
export const author = () =>
  object({ kind: oneOf('user', 'operator', 'product', 'system'), id: text(2048), name: text(2048) });

/** The part of a key that can change. It never contains a secret or a hash. */
const keyState = () =>
  object({
    name: text(100),
    scopes: list(oneOf(...scopes), { max: scopes.length }),
    full_access: boolean(),
    expires_at: orNull(time()),
    /** The last four characters of each secret that worked, newest first. */
    hints: list(text(4), { max: 11 }),
  });

export const activityEntry = /* @__PURE__ */ lazy(() =>
  object({
    /** Newer entries have greater ids. */
    id: text(200),
    at: time(),
    action: oneOf(...actions),
    author: author(),
    /** The person of the link or the session; `null` for entries about keys. */
    person: orNull(actor()),
    /** The key that was changed; `null` for other entries. */
    key_id: orNull(id('key')),
    key_name: orNull(text(100)),
    /** The webhook subscription, with its description or the host of its URL. The rest of the URL may be a credential. */
    subscription_id: orNull(id('whs')),
    subscription_name: orNull(text(500)),
    /** The changed fields of the subscription, or the kind of a test or a redelivery. */
    changes: list(object({ field: text(40), before: orNull(text(500)), after: orNull(text(500)) }), {
      max: 20,
    }),
    /** The public id of the session that made the change; `null` outside the console. */
    session_id: orNull(id('ses')),
    /** The address of the request; `null` outside the console. */
    ip: orNull(text(64)),
    user_agent: orNull(text(200)),
    request_id: orNull(text(128)),
    before: orNull(keyState()),
    after: orNull(keyState()),
  }),
);
export type ActivityEntry = z.output<ReturnType<typeof activityEntry>>;

const pageMax = 100;

const activityQuery = /* @__PURE__ */ lazy(() =>
  object({
    limit: integerParameter({ min: 1, max: pageMax, preset: 50 }),
    /** Returns only entries before this one: the id of the last entry of the previous page. */
    before: ofForm(/^[0-9A-Za-z_:.#-]{1,200}$/, 'must be the id of an entry').optional(),
    key_id: id('key').optional(),
    subscription_id: id('whs').optional(),
    /** Returns only what this person did. */
    author_id: text(200).optional(),
  }),
);
export type ActivityQuery = z.output<ReturnType<typeof activityQuery>>;

export const activityPage = /* @__PURE__ */ lazy(() =>
  object({ data: list(activityEntry(), { max: pageMax }), has_more: boolean() }),
);

/** Returns no total and takes no offset: the log only grows, and people read it from its newest entry. */
export const listActivity = /* @__PURE__ */ consoleOperation({
  id: 'listActivity',
  method: 'GET',
  path: '/api/activity',
  role: 'viewer',
  whileSuspended: true,
  query: activityQuery,
  success: { status: 200 },
});
