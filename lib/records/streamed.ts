import type { DynamoDBRecord } from 'aws-lambda';
import { describeError, log } from '../logs/log.ts';
import { readChange, type StreamedChange } from './change.ts';
import { readNotice, type StreamedNotice } from './notice.ts';

/** A change that the stream of the Records table delivers to the feed. */
export type Streamed = StreamedChange | StreamedNotice;

export const isOfRecord = (change: Streamed): change is StreamedChange => 'after' in change;

/**
 * Reads changes of records and system events from stream records.
 * @returns `unreadable`: the sequence numbers of the stream records that could not be read, which are logged
 */
export function readChanges(records: readonly DynamoDBRecord[]): {
  changes: Streamed[];
  unreadable: string[];
} {
  const unreadable: string[] = [];
  const changes = records.flatMap((record): Streamed[] => {
    const sequenceNumber = record.dynamodb?.SequenceNumber as string;
    try {
      const change = readChange(record);
      if (change)
        return [{ ...change, position: Number(record.dynamodb?.Keys?.sk?.S), sequenceNumber, record }];
      const notice = readNotice(record);
      return notice ? [{ ...notice, sequenceNumber }] : [];
    } catch (error) {
      log.error('a change cannot be read', { sequence_number: sequenceNumber, error: describeError(error) });
      unreadable.push(sequenceNumber);
      return [];
    }
  });
  return { changes, unreadable };
}
