import { isOfRecord, type Streamed } from '../records/streamed.ts';
import { type Entry, entryOf, noticeEntryOf } from './entry.ts';

/** A change that waits for its number. */
export interface PendingChange {
  entry: Entry;
  /** The position of its record; undefined for a change of something that is not a record. */
  position: number | undefined;
  sequenceNumber: string;
}

export const pendingChangeOf = (change: Streamed): PendingChange => ({
  sequenceNumber: change.sequenceNumber,
  ...(isOfRecord(change)
    ? { position: change.position, entry: entryOf(change) }
    : { position: undefined, entry: noticeEntryOf(change) }),
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
