import * as z from 'zod';
import { scopes } from '../../resources/index.ts';
import { boolean, id, integer, oneOf } from '../../schemas/fields.ts';
import { isObject } from '../../schemas/json.ts';
import { lazy } from '../../schemas/lazy.ts';
import { pageQuery } from '../../schemas/lists.ts';
import { type Rule, ruleError } from '../../schemas/reading.ts';
import { list, object, orNull, wordsOf } from '../../schemas/structure.ts';
import { text, textRule } from '../../schemas/texts.ts';
import { time } from '../../schemas/times.ts';
import { activityEntry, author } from './activity.ts';
import { consoleOperation } from './consoleOperation.ts';

/** The longest time that older secrets can still work after a rotation. */
const overlapSecondsMax = 7 * 24 * 3600;

/** The maximum number of history entries in a response, newest first. */
export const historyMax = 100;

const shownSecret = () =>
  object({
    /** The last four characters of the secret. */
    hint: text(4),
    /** When the secret ends; `null` for the newest secret, which ends with its key. */
    expires_at: orNull(time()),
    /** Exact to the minute, and to the hour after 35 days; `null` if the secret was never used. */
    last_used_at: orNull(time()),
  });

export const consoleKey = /* @__PURE__ */ lazy(() =>
  object({
    id: id('key'),
    name: text(100),
    /** The beginning and the end of the newest secret, as in `pak_live_…a9Kq`. */
    display: text(20),
    /** Empty if the key has full access. */
    scopes: list(oneOf(...scopes), { max: scopes.length }),
    full_access: boolean(),
    /** rotating: an older secret still works. */
    status: oneOf('active', 'rotating', 'expired', 'revoked'),
    /** The secrets that still work, newest first. */
    secrets: list(shownSecret(), { max: 11 }),
    created_at: time(),
    /** `null` if unknown. */
    created_by: orNull(author()),
    expires_at: orNull(time()),
    revoked_at: orNull(time()),
    /** Exact to the minute, and to the hour after 35 days; `null` if the key was never used. */
    last_used_at: orNull(time()),
    /** How many requests the key made in this hour and the 23 hours before it. */
    requests_24h: integer({ min: 0 }),
    /** How many of these got a 4xx or a 5xx. */
    failed_24h: integer({ min: 0 }),
    version: integer({ min: 1 }),
  }),
);
export type ConsoleKey = z.output<ReturnType<typeof consoleKey>>;

/** A webhook subscription of a key, with the host of its URL. The rest of the URL may be a credential. */
const keySubscription = () =>
  object({ id: id('whs'), host: text(253), status: oneOf('active', 'paused', 'disabled', 'suspended') });

export const keyWithHistory = /* @__PURE__ */ lazy(() =>
  consoleKey().extend({
    /** Newest first. */
    history: list(activityEntry(), { max: historyMax }),
    /** How many changes are recorded. This equals `version` unless somebody has changed the table directly. */
    changes_recorded: integer({ min: 0 }),
    /** The webhook subscriptions that the key created or changed. They outlive the key. */
    subscriptions: list(keySubscription(), { max: 25 }),
  }),
);
export type KeyWithHistory = z.output<ReturnType<typeof keyWithHistory>>;

/** A key and its new secret. A repeated request gets `null`, because no secret is stored. */
export const keyWithSecret = /* @__PURE__ */ lazy(() =>
  object({ key: consoleKey(), secret: orNull(text(64)) }),
);
export type KeyWithSecret = z.output<ReturnType<typeof keyWithSecret>>;

const fullAccess = () => z.literal(true, ruleError('must be true, or be left out with scopes'));

const isOne = (sent: unknown) => isObject(sent) && 'scopes' in sent !== 'full_access' in sent;
const isNotBoth = (sent: unknown) => isObject(sent) && !('scopes' in sent && 'full_access' in sent);
const whenObject = ({ value }: { value: unknown }) => isObject(value);

export const keyNameRule: Rule = `${textRule(100)}, and with something to see`;

/** Classes of characters that show nothing on their own. The blank Braille cell (U+2800) counts as a symbol, so it is listed. */
const unseen = String.raw`\p{C}\p{Z}\p{M}\p{DI}\u2800`;

/** The name of a key, by which people tell keys apart. */
export const keyName = () => text(100).regex(new RegExp(`[^${unseen}]`, 'u'), keyNameRule);

const writable = () => ({
  name: keyName(),
  scopes: wordsOf({ min: 1, max: 50 }, ...scopes).optional(),
  /** Must be set for full access. Leaving out the scopes does not grant it. */
  full_access: fullAccess().optional(),
  // An empty text is no time, and must not remove an expiry.
  expires_at: time().nullable().optional(),
});

export const keyDraft = /* @__PURE__ */ lazy(() =>
  object(writable()).refine(isOne, {
    error: 'The body must have either scopes or "full_access": true',
    when: whenObject,
  }),
);
export type KeyDraft = z.output<ReturnType<typeof keyDraft>>;

/** JSON merge patch (RFC 7396): omitted fields keep their value. */
export const keyPatch = /* @__PURE__ */ lazy(() =>
  object(writable()).partial().refine(isNotBoth, {
    error: 'The body must have scopes or "full_access": true, and not both',
    when: whenObject,
  }),
);
export type KeyPatch = z.output<ReturnType<typeof keyPatch>>;

const rotation = /* @__PURE__ */ lazy(() =>
  object({ overlap_seconds: integer({ min: 0, max: overlapSecondsMax }) }),
);

const path = '/api/keys';
const one = `${path}/{keyId}` as const;

export const listKeys = /* @__PURE__ */ consoleOperation({
  id: 'listKeys',
  method: 'GET',
  path,
  role: 'viewer',
  whileSuspended: true,
  query: pageQuery,
  success: { status: 200 },
});

export const createKey = /* @__PURE__ */ consoleOperation({
  id: 'createKey',
  method: 'POST',
  path,
  role: 'admin',
  body: keyDraft,
  requestHeaders: ['Idempotency-Key'],
  needsIdempotencyKey: true,
  success: { status: 201 },
});

export const getKey = /* @__PURE__ */ consoleOperation({
  id: 'getKey',
  method: 'GET',
  path: one,
  role: 'viewer',
  whileSuspended: true,
  success: { status: 200, headers: ['ETag'] },
});

export const updateKey = /* @__PURE__ */ consoleOperation({
  id: 'updateKey',
  method: 'PATCH',
  path: one,
  role: 'admin',
  body: keyPatch,
  requestHeaders: ['If-Match'],
  success: { status: 200, headers: ['ETag'] },
});

export const rotateKey = /* @__PURE__ */ consoleOperation({
  id: 'rotateKey',
  method: 'POST',
  path: `${one}/rotate`,
  role: 'admin',
  body: rotation,
  requestHeaders: ['Idempotency-Key'],
  needsIdempotencyKey: true,
  success: { status: 200 },
});

/** Ends all secrets but the newest at once, whatever overlap a rotation gave them. */
export const endOldSecrets = /* @__PURE__ */ consoleOperation({
  id: 'endOldSecrets',
  method: 'POST',
  path: `${one}/end-old-secrets`,
  role: 'admin',
  success: { status: 200, headers: ['ETag'] },
});

/** Repeating the request changes nothing and returns the same response. */
export const revokeKey = /* @__PURE__ */ consoleOperation({
  id: 'revokeKey',
  method: 'POST',
  path: `${one}/revoke`,
  role: 'admin',
  success: { status: 200, headers: ['ETag'] },
});
