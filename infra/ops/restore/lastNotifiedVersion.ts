import { eventId } from '../../../lib/changes/changeEvent.ts';
import { readNumberedVersion } from '../../../lib/changes/numberedVersions.ts';
import { readMany } from '../../../lib/dynamodb/batch.ts';
import { env, required } from '../../../lib/env.ts';
import type { CollectionRef } from '../../../lib/records/keys.ts';
import { eventKey } from '../../../lib/webhooks/model/keys.ts';

/** How many versions in a row have no event when there is no later one: a version without a subscriber has none. */
const versionsWithoutEvent = 10;

/**
 * The last version of a record that clients may know, from webhooks or from the feed of changes; the given one when no later
 * version has an event or a number. Events are kept for 41 days, and a table can be restored to a time within 35, so all
 * events since that time still exist. The feed keeps the highest version of each record.
 */
export async function lastNotifiedVersion(
  { account, type }: CollectionRef,
  { id, position, version }: { id: string; position: number; version: number },
): Promise<number> {
  const numbered = await readNumberedVersion(account, type, position);
  for (let last = Math.max(version, numbered); ; ) {
    const versions = Array.from({ length: versionsWithoutEvent }, (_, i) => last + 1 + i);
    const keys = versions.map((one) => eventKey(account, eventId(account, { id, version: one })));
    const found = new Set((await readMany(required(env.webhooksTable), keys)).map(({ pk }) => pk));
    const later = versions.filter((_, i) => found.has(keys[i]?.pk));
    if (later.length === 0) return last;
    last = Math.max(...later);
  }
}
