import { forbidden } from '../apiError.ts';
import type { Scope } from '../contract/operation.ts';
import { allows } from '../keys/access.ts';
import type { Caller, Middleware } from './event.ts';

/** @throws ApiError 403 that names the scope which the key lacks (spec § 5, rule 5) */
export const requireScope = (scope: Scope | null): Middleware => ({
  before: function requireScopeBefore({ event }) {
    if (!allows((event.caller as Caller).access, scope)) throw forbidden(String(scope));
  },
});
