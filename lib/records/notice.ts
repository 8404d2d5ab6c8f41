import type { DynamoDBRecord } from 'aws-lambda';
import type { EventResourceType, EventType } from '../contract/eventTypes.ts';
import type { Origin } from '../contract/origin.ts';
import { records } from '../dynamodb/tables.ts';
import type { Action } from '../dynamodb/transact.ts';
import { isAccount } from '../values/account.ts';
import { imageOf } from './change.ts';
import { noticesPartition } from './table.ts';

/**
 * A change of something that is not a record, and that is in another table. An item of the Records table, in the transaction of the
 * change, brings it into the stream of that table: so it goes the way of every change, to webhooks and into the feed, and cannot be
 * lost on it.
 */
export interface Notice {
  account: string;
  type: EventType;
  resource: { type: EventResourceType; id: string; version: number };
  at: string;
  /** The values of the changed fields before the change. */
  previous: Record<string, unknown>;
  /** The whole resource after the change, as full events show it. */
  data: object;
  /** `null` when the API itself or a person in the console made the change. */
  origin: Origin | null;
}

export interface StreamedNotice extends Notice {
  sequenceNumber: string;
}

/** How long the item is kept. Only the stream is read, which has each state of it. */
const keptSeconds = 7 * 24 * 3600;

/** The action that stores a notice, in place of the last one about the same resource. */
export const putNotice = ({ account, ...notice }: Notice): Action =>
  records.put({
    pk: noticesPartition(account),
    sk: notice.resource.id,
    // Text, because the database does not keep the order of fields.
    notice: JSON.stringify(notice),
    // Lets Lambda hand it over, as it does with records.
    version: notice.resource.version,
    ttl: Math.ceil(Date.now() / 1000) + keptSeconds,
  });

/** The notice in a stream record; undefined for anything else, and when it expires. */
export function readNotice({ dynamodb }: DynamoDBRecord): Notice | undefined {
  const pk = String(dynamodb?.Keys?.pk?.S);
  const [account] = pk.split('#');
  if (!isAccount(account) || pk !== noticesPartition(account)) return undefined;
  const item = imageOf(dynamodb?.NewImage);
  return item && { account, ...(JSON.parse(item.notice as string) as Omit<Notice, 'account'>) };
}
