// Loaded by CDK at synth, by every Lambda and by the tests: imports nothing but zod and its neighbours.
import type * as z from 'zod';
import { boolean, id, oneOf, text, time } from './fields.ts';
import { lazy, operation, scopes } from './operation.ts';
import { list, object, orNull } from './structure.ts';

/** The key a request came with: what it is and what it may do, never the key itself. */
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
    /** When this key stops to work; `null` is never. */
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
