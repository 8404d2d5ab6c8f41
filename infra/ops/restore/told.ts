import { readMany } from '../../../lib/dynamodb/batch.ts';
import { env, required } from '../../../lib/env.ts';
import { eventId } from '../../../lib/webhooks/events/event.ts';
import { eventKey } from '../../../lib/webhooks/keys.ts';

/** Not every version is told: it takes somebody who is subscribed to just that change. So many in a row none is. */
const stretch = 10;

/**
 * The last version of a record that an event tells of; the given one when none tells of a later. Events are kept for 36
 * days, and a table can be restored to a time within 35, so whatever was told since is still there.
 */
export async function lastTold(
  account: string,
  { id, version }: { id: string; version: number },
): Promise<number> {
  for (let told = version; ; ) {
    const versions = Array.from({ length: stretch }, (_, i) => told + 1 + i);
    const keys = versions.map((one) => eventKey(account, eventId(account, { id, version: one })));
    const found = new Set((await readMany(required(env.webhooksTable), keys)).map(({ pk }) => pk));
    const later = versions.filter((_, i) => found.has(keys[i]?.pk));
    if (later.length === 0) return told;
    told = Math.max(...later);
  }
}
