import type { StreamedChange } from '../records/change.ts';
import { type Entry, entryOf } from './entry.ts';

/** A change that waits for its number. */
export interface PendingChange extends Pick<StreamedChange, 'position' | 'sequenceNumber'> {
  entry: Entry;
}

export const pendingChangeOf = (change: StreamedChange): PendingChange => ({
  position: change.position,
  sequenceNumber: change.sequenceNumber,
  entry: entryOf(change),
});

/**
 * The changes with those of each record in the order of versions. A change that is handed over again may come behind a later
 * one, and a version that is lower than a numbered one gets no number.
 */
export function inVersionOrder(changes: readonly PendingChange[]): PendingChange[] {
  const byRecord = Map.groupBy(changes, ({ entry }) => entry.resource_id);
  for (const own of byRecord.values()) own.sort((a, b) => a.entry.version - b.entry.version);
  return changes.map(({ entry }) => byRecord.get(entry.resource_id)?.shift() as PendingChange);
}
