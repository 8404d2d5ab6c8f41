import { forbidden } from '../errors/apiError.ts';
import { allows } from '../keys/access.ts';
import type { NeededScope } from '../resources/operation.ts';
import type { Caller, Middleware } from './apiEvent.ts';

/** @throws ApiError 403 that names the scope that the key lacks, or several of which it needs one */
export const requireScope = (scope: NeededScope): Middleware => ({
  before: function requireScopeBefore({ event }) {
    if (scope !== null && !allows((event.caller as Caller).access, scope)) throw forbidden(scope);
  },
});
