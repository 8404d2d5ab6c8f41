import type * as z from 'zod';
import { id, oneOf } from '../values/fields.ts';
import { lazy } from '../values/lazy.ts';
import { object, orNull } from '../values/structure.ts';

/**
 * The author of a change of a record: a key of the API; the product, by the inbox, an import or a function; or the operator, by a command.
 * Never a person, and never a secret.
 */
export type Origin = { kind: 'api'; key_id: string } | { kind: 'product' | 'operator' };

export const knownOrigin = /* @__PURE__ */ lazy(() =>
  object({
    /** test: nobody made it. It is of an example event, which a test sends, and no change has it. */
    kind: oneOf('api', 'product', 'operator', 'test'),
    /** Only of `api`. */
    key_id: id('key').optional(),
  }),
);

/** `null`: the API itself made the change, or a person in Settings > Integrations, or it was made before origins were stored. */
export const origin = /* @__PURE__ */ lazy(() => orNull(knownOrigin()));
export type ShownOrigin = z.output<ReturnType<typeof origin>>;
