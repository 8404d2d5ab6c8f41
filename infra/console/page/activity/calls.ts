import type { listActivity } from '../../../../lib/contract/console/activity.ts';
import { call } from '../call.ts';

/** A page of the activity, newest first. @param before the id of the last entry of the page before */
export const readActivity = (key_id: string | undefined, before?: string) =>
  call<typeof listActivity>('GET', '/api/activity', { query: { key_id, before, limit: 50 } });
