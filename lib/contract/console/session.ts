import type * as z from 'zod';
import { account, boolean, id, integer, oneOf, webAddress } from '../../values/fields.ts';
import { lazy } from '../../values/lazy.ts';
import { object, orNull } from '../../values/structure.ts';
import { text } from '../../values/texts.ts';
import { time } from '../../values/times.ts';
import { consoleOperation, roles } from './operation.ts';
import { secretText } from './secretText.ts';

/** The person behind a session, as the product names them. */
export const actor = () => object({ id: text(200), name: text(100) });
export type Actor = z.output<ReturnType<typeof actor>>;

/** Whose session it is, and what the page has to know of its stage. */
export const session = /* @__PURE__ */ lazy(() =>
  object({
    /** Names the session, and opens nothing. The page sends it with every request: so a tab never acts in the session of another one. */
    session_id: id('ses'),
    account: account(),
    /** The name that the product gives the account; `null` when it gives none. */
    account_name: orNull(text(100)),
    actor: actor(),
    role: oneOf(...roles),
    /** Where "Back to the product" leads. */
    return_url: orNull(webAddress()),
    /** Where a person gets a new session after this one has ended. */
    renew_url: orNull(webAddress()),
    /** When the session ends, however busy it is. Without a request it ends earlier, after `idle_seconds`. */
    expires_at: time(),
    idle_seconds: integer({ min: 1 }),
    /** The URL of the public API, with its version. */
    api_url: text(2048),
    /** The page with the reference of the public API; `null` when the stage does not name one. */
    reference_url: orNull(webAddress()),
    /** Whether the operator has suspended the keys of the account. */
    suspended: boolean(),
  }),
);
export type SessionAnswer = z.output<ReturnType<typeof session>>;

const path = '/api/session';

export const startSession = /* @__PURE__ */ consoleOperation({
  id: 'startSession',
  method: 'POST',
  path,
  role: null,
  body: lazy(() =>
    object({
      code: secretText(),
      /** Whether a session of somebody else, or of another account, ends that this browser has. Otherwise the answer is then 409. */
      replace: boolean().optional(),
    }),
  ),
  success: { status: 201 },
});

export const getSession = /* @__PURE__ */ consoleOperation({
  id: 'getSession',
  method: 'GET',
  path,
  role: 'viewer',
  whileSuspended: true,
  success: { status: 200 },
});

export const endSession = /* @__PURE__ */ consoleOperation({
  id: 'endSession',
  method: 'DELETE',
  path,
  role: 'viewer',
  whileSuspended: true,
  success: { status: 204 },
});
