import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { Origin } from '../contract/origin.ts';
import type { Stored } from '../resources/collection.ts';
import { collectionOf } from '../resources/collections.ts';
import { isResource, type ResourceType } from '../resources/index.ts';
import { isAccount } from '../schemas/account.ts';
import type { ClientEdits } from './edits.ts';
import { type EditAttributes, editsOf, isDeleted, mergedInto, toRecord } from './recordItem.ts';
import { originIn } from './recordOrigin.ts';

export interface RecordChange {
  account: string;
  type: ResourceType;
  /** Undefined if the record was created. */
  before: Stored | undefined;
  /** A deletion leaves only the fields that the server sets. All other fields are blank. */
  after: Stored;
  /** `null` if the change was made before origins were stored. */
  origin: Origin | null;
  /** Set for a deletion. `before` is then content that must not be stored or sent. */
  deletion?: { mergedInto: string | null };
}

/** The metadata of a record that only your app receives, through the outbox. */
export interface ForProduct {
  /** The version of the last edit by a client of each path: the versions of `ClientEdits`. */
  clientEdits: ClientEdits['versions'];
  /** Your app's own id of the row, and the last revision that it has sent. */
  sourceId: string | null;
  revision: number | null;
}

export interface StreamedChange extends RecordChange, ForProduct {
  position: number;
  sequenceNumber: string;
  record: DynamoDBRecord;
}

/** Returns the account of a stream record, which is the first part of every key. */
export const accountOf = ({ dynamodb }: DynamoDBRecord): string =>
  String(dynamodb?.Keys?.pk?.S).split('#')[0] as string;

type Image = NonNullable<DynamoDBRecord['dynamodb']>['NewImage'];

export const imageOf = (image: Image): Record<string, unknown> | undefined =>
  image && unmarshall(image as Record<string, AttributeValue>);

/** Returns when the stream recorded a change, in epoch milliseconds. AWS rounds it down to a second. */
export const notedAtMs = ({ dynamodb }: DynamoDBRecord): number =>
  1000 * (dynamodb?.ApproximateCreationDateTime ?? Date.now() / 1000);

/**
 * Reads a record change from a stream record. Returns undefined for anything else: another item of the table, a removed item, or a write that
 * did not change the version of the record.
 */
export function readChange({ dynamodb }: DynamoDBRecord): (RecordChange & ForProduct) | undefined {
  const after = imageOf(dynamodb?.NewImage);
  const before = imageOf(dynamodb?.OldImage) ?? beforeLoss(after);
  const [account, type, partition, more] = String(after?.pk).split('#');
  // A key with more parts is another item. If its account contains the separator, its first part is another account.
  if (
    !after ||
    !isAccount(account) ||
    !isResource(type) ||
    !/^\d+$/.test(partition ?? '') ||
    more !== undefined
  )
    return undefined;
  if (before?.version === after.version) return undefined;
  const collection = collectionOf(type);
  return {
    account,
    type,
    before: before && toRecord(collection, before),
    after: toRecord(collection, after),
    origin: originIn(after),
    // A tombstone has neither field, and your app needs both to delete its row.
    ...forProduct({ source_id: before?.source_id, revision: before?.revision, ...after }),
    ...(isDeleted(after) ? { deletion: { mergedInto: mergedInto(after) } } : {}),
  };
}

export const forProduct = (item: Record<string, unknown>): ForProduct => ({
  clientEdits: editsOf(item as EditAttributes)?.versions ?? {},
  sourceId: (item.source_id as string | undefined) ?? null,
  revision: (item.revision as number | undefined) ?? null,
});

/**
 * Returns the state before a restore. A record that a restore brings back is not new, because no event reported its loss. `notified_version` is
 * the last version that webhooks or the feed of changes have reported, so a change follows only if the record came back with a later version.
 */
const beforeLoss = (after: Record<string, unknown> | undefined): Record<string, unknown> | undefined =>
  after?.notified_version === undefined ? undefined : { ...after, version: after.notified_version };
