import { isDeepStrictEqual } from 'node:util';
import type { Collection, Stored } from '../../../lib/resources/collection.ts';
import { number } from './conditions.ts';
import type { Item } from './restoration.ts';

export const externalIdOf = (item: Item | undefined): string | null =>
  (item?.external_id as string | undefined) ?? null;

/** The attributes that differ in every version. */
const noted = ['version', 'updated_at'];

/** What clients see of an item, without its version. A corrupt item may have any shape. */
function contentOf({ layout, blank }: Collection<Stored>, item: Item): Item {
  const shown: Item = { ...blank, ...item };
  const names = Object.keys(layout).filter((name) => !noted.includes(name));
  return Object.fromEntries(names.map((name) => [name, shown[name] ?? null]));
}

/** Whether the living record has the same content, and no version of it can be used a second time. */
export const isSame = (collection: Collection<Stored>, restored: Item, living: Item): boolean =>
  isDeepStrictEqual(contentOf(collection, restored), contentOf(collection, living)) &&
  number(living.version) >= number(restored.version);

/**
 * The item with which a restored record replaces the living one. Its version is new, so that receivers of webhooks get
 * an event and an old ETag does not match.
 */
export function nextItem({ layout }: Collection<Stored>, restored: Item, living: Item): Item {
  const { notified_version: _, ...before } = restored;
  // Attributes of a newer release stay.
  const others = Object.entries(living).filter(([name]) => !(name in layout) && name !== 'stated_at');
  return {
    ...Object.fromEntries(others),
    ...before,
    version: Math.max(number(living.version), number(restored.version)) + 1,
    updated_at: new Date().toISOString(),
  };
}

/**
 * The item with which a lost record comes back: unchanged, unless clients may know a later version.
 * @param notified the last version that webhooks or the feed of changes have reported, or the restored one
 */
export const itemAfterLoss = (restored: Item, notified: number): Item =>
  notified > number(restored.version)
    ? {
        ...restored,
        notified_version: notified,
        version: notified + 1,
        updated_at: new Date().toISOString(),
      }
    : { ...restored, notified_version: restored.version };
