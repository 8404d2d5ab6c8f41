import { randomBytes } from 'node:crypto';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { appendChanges } from '../../../lib/feed/appendChanges.ts';
import { putNotice } from '../../../lib/records/notice.ts';
import { recordId } from '../../../lib/records/position.ts';
import { recordKey } from '../../../lib/records/recordKeys.ts';
import { readChanges } from '../../../lib/records/streamed.ts';
import { type ResourceType, resources } from '../../../lib/resources/index.ts';

/** A record that exists only in changes which a test hands over. */
export interface StreamedRecord {
  account: string;
  type: ResourceType;
  position: number;
  id: string;
}

export const aStreamedRecord = (
  account: string,
  position = 0,
  type: ResourceType = 'contact',
): StreamedRecord => ({
  account,
  type,
  position,
  id: recordId(resources[type].prefix, position, randomBytes(10)),
});

let sequence = 0;

/** The change that made a version of a record, as the stream of the Records table hands it over. */
export function changeTo(
  { account, type, position, id }: StreamedRecord,
  version: number,
  more: object = {},
): DynamoDBRecord {
  const key = recordKey({ account, type }, position);
  const made = (at: number, fields: object) =>
    marshall({
      ...key,
      id,
      external_id: `${type}-${position}`,
      version: at,
      created_at: '2026-03-01T09:30:00.000Z',
      updated_at: new Date(Date.UTC(2026, 2, 1, 9, 30, at)).toISOString(),
      ...fields,
    });
  return {
    eventName: version === 1 ? 'INSERT' : 'MODIFY',
    dynamodb: {
      SequenceNumber: String(++sequence).padStart(21, '0'),
      ApproximateCreationDateTime: Math.floor(Date.now() / 1000),
      Keys: marshall(key) as never,
      NewImage: made(version, { note: `${version}`, ...more }) as never,
      ...(version === 1 ? {} : { OldImage: made(version - 1, { note: `${version - 1}` }) as never }),
    },
  };
}

/** A notice about a subscription, as the stream of the Records table hands it over. */
export function noticeOf({ account, id, version }: { account: string; id: string; version: number }) {
  const { Item } = putNotice({
    account,
    type: 'subscription.suspended',
    resource: { type: 'subscription', id, version },
    at: '2026-03-01T09:30:00.000Z',
    previous: { status: 'active' },
    data: { id },
    origin: null,
  }).Put as { Item: Record<string, unknown> };
  return {
    eventName: 'MODIFY',
    dynamodb: {
      SequenceNumber: String(++sequence).padStart(21, '0'),
      ApproximateCreationDateTime: Math.floor(Date.now() / 1000),
      Keys: marshall({ pk: Item.pk, sk: Item.sk }) as never,
      NewImage: marshall(Item) as never,
    },
  } satisfies DynamoDBRecord;
}

/** The changes that created new records of an account, from a position on. */
export const creations = (account: string, amount: number, from = 0): DynamoDBRecord[] =>
  Array.from({ length: amount }, (_, i) => changeTo(aStreamedRecord(account, from + i), 1));

/** Appends changes to the feed as the handler does. @returns the sequence numbers of what has to be handed over again */
export async function append(records: readonly DynamoDBRecord[], deadline: number): Promise<string[]> {
  const { changes, unreadable } = readChanges(records);
  return [...unreadable, ...(await appendChanges(changes, deadline))];
}

/** Gives changes their numbers. */
export async function givenNumbered(records: readonly DynamoDBRecord[]): Promise<void> {
  const failed = await append(records, Date.now() + 20_000);
  if (failed.length > 0) throw new Error(`${failed.length} changes got no number`);
}
