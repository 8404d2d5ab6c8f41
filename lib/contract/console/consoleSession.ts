import type * as z from 'zod';
import { account, boolean, id, integer, oneOf, webAddress } from '../../schemas/fields.ts';
import { lazy } from '../../schemas/lazy.ts';
import { object, orNull } from '../../schemas/structure.ts';
import { text } from '../../schemas/texts.ts';
import { time } from '../../schemas/times.ts';
import { consoleOperation, roles } from './consoleOperation.ts';
import { secretText } from './secretText.ts';

/** The person behind a session, as named by the product. */
export const actor = () => object({ id: text(200), name: text(100) });
export type Actor = z.output<ReturnType<typeof actor>>;

/** The person and account of a session, and what the page needs to know about its stage. */
export const session = /* @__PURE__ */ lazy(() =>
  object({
    /** Identifies the session, but opens nothing. The page sends it with every request, so a tab never acts in the session of another tab. */
    session_id: id('ses'),
    account: account(),
    /** The product's name for the account; `null` if it sends none. */
    account_name: orNull(text(100)),
    actor: actor(),
    role: oneOf(...roles),
    /** Where "Back to the product" leads. */
    return_url: orNull(webAddress()),
    /** Where people get a new session after this one has ended. */
    renew_url: orNull(webAddress()),
    /** When the session ends even if it is in use. Without requests, it ends after `idle_seconds`. */
    expires_at: time(),
    idle_seconds: integer({ min: 1 }),
    /** The URL of the public API, including its version. */
    api_url: text(2048),
    /** The reference of the public API; `null` if the stage does not set one. */
    reference_url: orNull(webAddress()),
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
      /** Whether to end a session of another person or account in this browser. Otherwise, the response is then 409. */
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
