import type { DynamoDBRecord } from 'aws-lambda';
import type { EventResourceType, EventType } from '../contract/eventTypes.ts';
import type { Origin } from '../contract/origin.ts';
import { records } from '../dynamodb/tables.ts';
import type { Action } from '../dynamodb/transact.ts';
import { isAccount } from '../schemas/account.ts';
import { imageOf } from './change.ts';
import { noticesPartition } from './recordsTable.ts';

/**
 * A system event: a change of something that is not a record and is in another table. The transaction of the change also writes an item to the
 * Records table. The change therefore enters that table's stream and reaches webhooks and the feed like every other change. It cannot be lost.
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
  /** `null` if the API itself or a person in the console made the change. */
  origin: Origin | null;
}

export interface StreamedNotice extends Notice {
  sequenceNumber: string;
}

/** How long the item is kept. Only the stream reads it, and the stream contains every state of the item. */
const keptSeconds = 7 * 24 * 3600;

/** Returns the action that stores a system event. It replaces the last one about the same resource. */
export const putNotice = ({ account, ...notice }: Notice): Action =>
  records.put({
    pk: noticesPartition(account),
    sk: notice.resource.id,
    // Stored as text, because the database does not keep the order of fields.
    notice: JSON.stringify(notice),
    // Lets the stream's filter pass the item to Lambda, as it does with records.
    version: notice.resource.version,
    ttl: Math.ceil(Date.now() / 1000) + keptSeconds,
  });

/** Reads a system event from a stream record. Returns undefined for anything else, and for an item that expires. */
export function readNotice({ dynamodb }: DynamoDBRecord): Notice | undefined {
  const pk = String(dynamodb?.Keys?.pk?.S);
  const [account] = pk.split('#');
  if (!isAccount(account) || pk !== noticesPartition(account)) return undefined;
  const item = imageOf(dynamodb?.NewImage);
  return item && { account, ...(JSON.parse(item.notice as string) as Omit<Notice, 'account'>) };
}
