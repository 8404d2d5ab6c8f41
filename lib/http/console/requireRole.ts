import type { Session } from '../../console/sessions/items.ts';
import type { Role } from '../../contract/console/operation.ts';
import { ApiError } from '../../errors/apiError.ts';
import type { Middleware } from '../event.ts';

/** @throws ApiError 403 when the operation changes something, and the session may only read */
export const requireRole = (role: Role): Middleware => ({
  before: function requireRoleBefore({ event }) {
    if (role === 'admin' && (event.session as Session).role !== 'admin')
      throw new ApiError(403, 'Your role in this account may only read');
  },
});
