import type { ActivityEntry, listActivity } from '../../../../lib/contract/console/activity.ts';
import { call } from '../call.ts';
import type { Pages } from '../parts/pages.ts';

/** A page of the activity, newest first. @param before the `next` of the page before */
export async function readActivity(
  key_id: string | undefined,
  before?: string,
): Promise<Pages<ActivityEntry, string>> {
  const { data, has_more } = await call<typeof listActivity>('GET', '/api/activity', {
    query: { key_id, before, limit: 50 },
  });
  return { data, next: has_more ? data.at(-1)?.id : undefined };
}
