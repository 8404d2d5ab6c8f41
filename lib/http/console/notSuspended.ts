import type { Session } from '../../console/sessions/items.ts';
import { ApiError } from '../../errors/apiError.ts';
import { suspendedSince } from '../../keys/suspension.ts';
import type { Middleware } from '../event.ts';

/** @throws ApiError 403 while the operator has suspended the account of the session */
export const notSuspended = (): Middleware => ({
  before: async function notSuspendedBefore({ event }) {
    if ((await suspendedSince((event.session as Session).account)) !== undefined)
      throw new ApiError(
        403,
        'The operator has suspended this account: its keys and its activity can be read, and nothing else',
      );
  },
});
