import type { Stored } from './collection.ts';
import { actionsPerDraft } from './place.ts';
import type { Waiting } from './queue.ts';
import { actionsMax, transactionBytesMax } from './transact.ts';

/** The most drafts of one transaction: besides its own actions each needs one that marks it as placed. */
export const seats = Math.floor((actionsMax - 1) / (actionsPerDraft + 1));

/**
 * Who goes into the next transaction: as many of those who wait as it can carry, the longest waiting first. Of two drafts
 * with one external id only the first, because a transaction cannot touch an item twice; the other then finds it taken.
 */
export function boarding<R extends Stored>(waiting: readonly Waiting<R>[]): Waiting<R>[] {
  const aboard: Waiting<R>[] = [];
  const externalIds = new Set<string>();
  let bytes = 0;
  for (const one of waiting) {
    const { external_id } = one.draft.content;
    bytes += Buffer.byteLength(JSON.stringify(one.draft.content));
    if (bytes > transactionBytesMax && aboard.length > 0) break;
    if (external_id !== null && externalIds.has(external_id)) continue;
    if (external_id !== null) externalIds.add(external_id);
    aboard.push(one);
  }
  return aboard;
}
