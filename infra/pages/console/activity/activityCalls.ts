import type { ActivityEntry, listActivity } from '../../../../lib/contract/console/activity.ts';
import { call } from '../call.ts';
import type { Pages } from '../parts/usePages.ts';

/** The ids of a key, a person and a subscription; an empty text is all. */
export type ActivityFilter = { key: string; person: string; subscription: string };

export const anyActivity: ActivityFilter = { key: '', person: '', subscription: '' };

/** A page of the activity, newest first. @param before the `next` of the page before */
export async function readActivity(
  { key, person, subscription }: ActivityFilter,
  before?: string,
): Promise<Pages<ActivityEntry, string>> {
  const { data, has_more } = await call<typeof listActivity>('GET', '/api/activity', {
    query: {
      key_id: key,
      author_id: person,
      subscription_id: subscription,
      before,
      limit: 50,
    },
  });
  return { data, next: has_more ? data.at(-1)?.id : undefined };
}
