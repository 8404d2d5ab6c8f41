import { env, required } from '../../../lib/env.ts';
import { editAttributes, erasedEdits } from '../../../lib/records/edits.ts';
import { erasureKey } from '../../../lib/records/keys.ts';
import type { Collection, Stored } from '../../../lib/resources/collection.ts';
import { parsed } from '../../../lib/values/json.ts';
import { bodyFor } from '../../../lib/webhooks/model/event.ts';
import { type Item, number, read } from '../restore/restoration.ts';

// A backup still has what was erased after it. The Records table notes every erasure, so a restore leaves that out.

/** The version that erased a record; 0 when it was never erased. */
async function erasedVersion(account: string, id: unknown): Promise<{ version: number; at: string }> {
  const note = await read(required(env.recordsTable), erasureKey(account, String(id)));
  return { version: number(note?.erased_version), at: String(note?.erased_at) };
}

/** A lost record without what was erased after the backup. */
export async function recordWithoutErased(
  collection: Collection<Stored>,
  account: string,
  restored: Item,
): Promise<Item> {
  const { version, at } = await erasedVersion(account, restored.id);
  if (number(restored.version) >= version) return restored;
  const { pk, sk, id, created_at } = restored;
  return {
    ...{ pk, sk, id, version, created_at, updated_at: at, erased_at: at },
    ...editAttributes(erasedEdits(collection, { version, at })),
  };
}

/** Whether a kept answer shows a record that was erased after the backup. */
export async function isAnswerErased(account: string, { body }: Item): Promise<boolean> {
  const { id, version } = (parsed(String(body)) ?? {}) as Item;
  return id !== undefined && number(version) < (await erasedVersion(account, id)).version;
}

/** Whether the record of an event was erased after it. */
export async function isEventErased(account: string, event: Item | undefined): Promise<boolean> {
  const { body, erased } = (event ?? {}) as { body?: string; erased?: true };
  const { resource } = (parsed(body ?? '') ?? {}) as { resource?: Item };
  if (erased || resource === undefined) return erased === true;
  return number(resource.version) < (await erasedVersion(account, resource.id)).version;
}

export const eventWithoutPerson = (event: Item): Item => ({
  ...event,
  body: bodyFor('thin', event.body as string),
  erased: true,
});
