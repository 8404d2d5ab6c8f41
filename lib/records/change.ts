import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { Origin } from '../contract/origin.ts';
import type { Stored } from '../resources/collection.ts';
import { collectionOf } from '../resources/collections.ts';
import { isResource, type ResourceType } from '../resources/index.ts';
import { isAccount } from '../values/account.ts';
import { isDeleted, mergedInto } from './deletion/tombstone.ts';
import { type ClientEdits, type EditAttributes, editsOf } from './edits.ts';
import { toRecord } from './item.ts';
import { originIn } from './origin.ts';

export interface RecordChange {
  account: string;
  type: ResourceType;
  /** undefined when the record was created. */
  before: Stored | undefined;
  /** A deletion leaves only the fields of the server: all else is blank. */
  after: Stored;
  /** `null` when it was made before origins were stored. */
  origin: Origin | null;
  /** Set for a deletion. Then `before` is content that must not be stored or sent. */
  deletion?: { mergedInto: string | null };
}

/** The facts of a record that only the product is told, in the outbox. */
export interface ForProduct {
  /** The version of the last edit by a client of each path: those of `ClientEdits`. */
  clientEdits: ClientEdits['versions'];
  /** Your app's own id of it, and the last revision that it has sent. */
  sourceId: string | null;
  revision: number | null;
}

export interface StreamedChange extends RecordChange, ForProduct {
  position: number;
  sequenceNumber: string;
  record: DynamoDBRecord;
}

/** The account of a stream record: the first part of every key. */
export const accountOf = ({ dynamodb }: DynamoDBRecord): string =>
  String(dynamodb?.Keys?.pk?.S).split('#')[0] as string;

type Image = NonNullable<DynamoDBRecord['dynamodb']>['NewImage'];

export const imageOf = (image: Image): Record<string, unknown> | undefined =>
  image && unmarshall(image as Record<string, AttributeValue>);

/** When the stream noted a change, epoch milliseconds: rounded down to a second on AWS. */
export const notedAtMs = ({ dynamodb }: DynamoDBRecord): number =>
  1000 * (dynamodb?.ApproximateCreationDateTime ?? Date.now() / 1000);

/**
 * The change of a record in a stream record; undefined for anything else: another item of the table, a deletion, or a write
 * that left the version of the record as it was.
 */
export function readChange({ dynamodb }: DynamoDBRecord): (RecordChange & ForProduct) | undefined {
  const after = imageOf(dynamodb?.NewImage);
  const before = imageOf(dynamodb?.OldImage) ?? beforeLoss(after);
  const [account, type, partition, more] = String(after?.pk).split('#');
  // A key with more parts is another item; or its account contains the separator, and its first part is another account.
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
    // A deletion leaves neither, and the product needs both to delete its row.
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
 * A record that a restore has brought back is not new: no event said that it was lost. `notified_version` is the last version
 * that webhooks or the feed of changes have reported, so a change follows only if the record came back with a later version.
 */
const beforeLoss = (after: Record<string, unknown> | undefined): Record<string, unknown> | undefined =>
  after?.notified_version === undefined ? undefined : { ...after, version: after.notified_version };
