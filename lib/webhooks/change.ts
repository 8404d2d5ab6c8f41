import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { ResourceType } from '../contract/eventTypes.ts';
import type { Collection, Stored } from '../records/collection.ts';
import { contacts } from '../records/contacts.ts';
import { eventRegistrations } from '../records/eventRegistrations.ts';
import { toRecord } from '../records/item.ts';
import { orders } from '../records/orders.ts';
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
  const [after, before] = [imageOf(dynamodb?.NewImage), imageOf(dynamodb?.OldImage)];
  const [account, type, lane] = String(after?.pk).split('#');
  if (!after || !account || !isResource(type) || !/^\d+$/.test(lane ?? '')) return undefined;
  if (before?.version === after.version) return undefined;
  const collection = collections[type] as Collection<Stored>;
  return {
    account,
    type,
    before: before && toRecord(collection, before),
    after: toRecord(collection, after),
  };
}

type Image = NonNullable<DynamoDBRecord['dynamodb']>['NewImage'];

const imageOf = (image: Image): Record<string, unknown> | undefined =>
  image && unmarshall(image as Record<string, AttributeValue>);

const isResource = (type: string | undefined): type is ResourceType =>
  type !== undefined && Object.hasOwn(collections, type);
