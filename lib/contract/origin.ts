import type * as z from 'zod';
import { id, oneOf } from '../schemas/fields.ts';
import { lazy } from '../schemas/lazy.ts';
import { object, orNull } from '../schemas/structure.ts';

/**
 * The author of a change to a record: a key of the API; the product, through the inbox, an import or a function; or the operator, through a
 * command. It never names a person and never contains a secret.
 */
export type Origin = { kind: 'api'; key_id: string } | { kind: 'product' | 'operator' };

export const knownOrigin = /* @__PURE__ */ lazy(() =>
  object({
    /** test: nobody made the change. It marks the example event that a test sends. */
    kind: oneOf('api', 'product', 'operator', 'test'),
    /** Set only for `api`. */
    key_id: id('key').optional(),
  }),
);

/** `null` if the API itself or a person in Settings > Integrations made the change, or if it was made before origins were stored. */
export const origin = /* @__PURE__ */ lazy(() => orNull(knownOrigin()));
export type ShownOrigin = z.output<ReturnType<typeof origin>>;
