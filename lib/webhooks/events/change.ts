import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { ResourceType } from '../../contract/eventTypes.ts';
import { isAccount } from '../../contract/values/account.ts';
import type { Collection, Stored } from '../../records/collection.ts';
import { contacts } from '../../records/contacts.ts';
import { eventRegistrations } from '../../records/eventRegistrations.ts';
import { toRecord } from '../../records/item.ts';
import { orders } from '../../records/orders.ts';
import type { Change } from './event.ts';

const collections: Record<ResourceType, object> = {
  contact: contacts,
  order: orders,
  event_registration: eventRegistrations,
};

/** Whose item a stream tells of: the account is the first part of every key. */
export const accountOf = ({ dynamodb }: DynamoDBRecord): string =>
  String(dynamodb?.Keys?.pk?.S).split('#')[0] as string;

/** When the stream noted a change, epoch milliseconds: rounded down to a second on AWS. */
export const notedAtMs = ({ dynamodb }: DynamoDBRecord): number =>
  1000 * (dynamodb?.ApproximateCreationDateTime ?? Date.now() / 1000);

/**
 * The change of a record that a stream tells of; undefined when it tells of something else: of another item of the table,
 * of a deletion, which records do not know, or of a write that changed nothing of the record.
 */
export function readChange({ dynamodb }: DynamoDBRecord): Change | undefined {
  const after = imageOf(dynamodb?.NewImage);
  const before = imageOf(dynamodb?.OldImage) ?? beforeLoss(after);
  const [account, type, lane, more] = String(after?.pk).split('#');
  // More parts are another item, or an account that is none: its first part may be somebody else's.
  if (!after || !isAccount(account) || !isResource(type) || !/^\d+$/.test(lane ?? '') || more !== undefined)
    return undefined;
  if (before?.version === after.version) return undefined;
  const collection = collections[type] as Collection<Stored>;
  return {
    account,
    type,
    before: before && toRecord(collection, before),
    after: toRecord(collection, after),
  };
}

/**
 * A record that was lost and came back from a backup is no new one: nobody was told that it was gone. `told` is the last
 * version that was told of, so the record is told again only when it came back as a later one.
 */
const beforeLoss = (after: Record<string, unknown> | undefined): Record<string, unknown> | undefined =>
  after?.told === undefined ? undefined : { ...after, version: after.told };

type Image = NonNullable<DynamoDBRecord['dynamodb']>['NewImage'];

const imageOf = (image: Image): Record<string, unknown> | undefined =>
  image && unmarshall(image as Record<string, AttributeValue>);

const isResource = (type: string | undefined): type is ResourceType =>
  type !== undefined && Object.hasOwn(collections, type);
