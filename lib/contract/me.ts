import type * as z from 'zod';
import { lazy, operation, scopes } from './operation.ts';
import { boolean, id, oneOf, text, time } from './values/fields.ts';
import { list, object, orNull } from './values/structure.ts';

/** The key of a request: its description and its access, never its text. */
export const me = lazy(() =>
  object({
    key_id: id('key'),
    name: text(100),
    /** The last four characters of the key. */
    hint: text(4),
    /** Empty when the key has full access. */
    scopes: list(oneOf(...scopes), { max: scopes.length }),
    full_access: boolean(),
    account: text(64),
    /** When this key expires; `null` is never. */
    expires_at: orNull(time()),
  }),
);
export type Me = z.output<ReturnType<typeof me>>;

export const getMe = operation({
  id: 'getMe',
  method: 'GET',
  path: '/me',
  scope: null,
  summary: 'Read the API key',
  success: { status: 200, body: me },
});
