import type { Item } from '../../dynamodb/item.ts';

export interface Tombstone {
  id: string;
  version: number;
  /** RFC 3339 UTC. */
  deletedAt: string;
  mergedInto: string | null;
}

/** Returns whether an item is a tombstone, which stays at the position of a deleted record. */
export const isDeleted = (item: Item | undefined): boolean => item?.deleted_at !== undefined;

export const mergedInto = (item: Item): string | null => (item.merged_into as string | undefined) ?? null;

export const tombstoneOf = (item: Item): Tombstone => ({
  id: item.id as string,
  version: item.version as number,
  deletedAt: item.deleted_at as string,
  mergedInto: mergedInto(item),
});
