import { readByKey } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import type { Action } from '../../dynamodb/transact.ts';
import { redactionPartition } from '../recordsTable.ts';

/**
 * Marks a record as deleted, in the table of its events. Code that sends or shows an event reads this item with it. The content is therefore
 * hidden as soon as the deletion commits, however long the redaction of the stored content takes.
 */
export interface Redaction {
  /** The events of later versions are already redacted. The redaction goes from the latest version to the first. */
  left: number;
  /** Versions that were skipped because a write failed. */
  stuck: number[];
  /** The number of redaction steps so far. Each step requires the number that it has read. */
  turns: number;
  /** Epoch seconds. */
  ttl: number;
}

/**
 * The longest that a change can take to become an event: one day in the stream, thirty days among the failed changes, and twice fourteen days
 * in the queue of deferred changes and among its dead letters. Events are kept for less time than that.
 */
const keptDays = 60;

export const redactionKey = (account: string, record: string) => ({
  pk: redactionPartition(account, record),
  sk: 'redaction',
});

/** @param left the version of the record before its deletion */
export const newRedaction = (left: number): Redaction => ({
  left,
  stuck: [],
  turns: 0,
  ttl: Math.ceil(Date.now() / 1000) + keptDays * 24 * 3600,
});

/** Returns the action that hides the content of a record's events. It belongs to the transaction that deletes the record. */
export const hideEvents = (account: string, record: string, left: number): Action =>
  webhooks.put({ ...redactionKey(account, record), ...newRedaction(left) });

interface RecordRef {
  account: string;
  id: string;
}

/** Reads which of these records were deleted, so that their events can be hidden. Strongly consistent. */
export async function readHidden(records: readonly RecordRef[]): Promise<(record: RecordRef) => boolean> {
  const keyOf = ({ account, id }: RecordRef) => redactionKey(account, id);
  const redactionAt = await readByKey(webhooks, records.map(keyOf));
  return (record) => redactionAt(keyOf(record)) !== undefined;
}
