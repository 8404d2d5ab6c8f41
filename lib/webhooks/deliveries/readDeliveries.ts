import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { notFound } from '../../apiError.ts';
import type { PageQuery } from '../../contract/values/lists.ts';
import type { WebhookDelivery } from '../../contract/webhookDeliveries.ts';
import { dynamodb } from '../../dynamodb/client.ts';
import { env, required } from '../../env.ts';
import type { Access } from '../../keys/access.ts';
import type { Page } from '../../records/list.ts';
import { positionOf } from '../../records/position.ts';
import { completeRange, readRange } from '../../records/range.ts';
import { deliveryKey, deliveryPrefix, logPartition } from '../keys.ts';
import { type Delivery, shownDelivery } from './delivery.ts';
import { firstKept, type Log, readLog } from './log.ts';

/**
 * A page of a subscription's log, newest first. It costs the same at any offset.
 * @param access what the calling key may do
 * @throws ApiError 404 when the account has, and lately had, no such subscription
 */
export async function listDeliveries(
  account: string,
  subscription: string,
  { limit, offset }: PageQuery,
  access: Access,
): Promise<Page<WebhookDelivery>> {
  const log = await readLog(account, subscription);
  const first = firstKept(log);
  const end = Math.max(first, log.log_count - offset);
  const start = Math.max(first, end - limit);
  const positions = {
    table: required(env.webhooksTable),
    partitionOf: (position: number) => logPartition(account, subscription, position),
  };
  const items = await completeRange(positions, start, end, await readRange(positions, start, end));
  const data = (items as unknown as Delivery[])
    .reverse()
    .map((item) => shownDelivery(cancelledIfDeleted(log, item), access));
  return { data, pagination: { limit, offset, total: log.log_count - first } };
}

const noDelivery = (id: string) => notFound('webhook delivery', id);

/** @throws ApiError 404 when the log has no such delivery, or no longer */
export async function readDelivery(
  account: string,
  subscription: string,
  log: Log,
  id: string,
): Promise<Delivery> {
  const item = isKept(log, id) ? await findDelivery(account, subscription, id) : undefined;
  if (!item) throw noDelivery(id);
  return cancelledIfDeleted(log, item);
}

/** A pending delivery of a deleted subscription is shown as cancelled: its item says so only after its next message. */
const cancelledIfDeleted = ({ deleted }: Log, item: Delivery): Delivery =>
  deleted && item.status === 'pending' ? { ...item, status: 'cancelled', next_attempt_at: undefined } : item;

const isKept = (log: Log, id: string): boolean => (positionOf(deliveryPrefix, id) ?? -1) >= firstKept(log);

export const getDelivery = async (account: string, subscription: string, id: string, access: Access) =>
  shownDelivery(await readDelivery(account, subscription, await readLog(account, subscription), id), access);

/** @returns undefined when there is no such delivery; the id must be that of a delivery */
export async function findDelivery(
  account: string,
  subscription: string,
  id: string,
): Promise<Delivery | undefined> {
  const { Item } = await dynamodb().send(
    new GetCommand({
      TableName: required(env.webhooksTable),
      Key: deliveryKey(account, subscription, positionOf(deliveryPrefix, id) as number),
      ConsistentRead: true,
    }),
  );
  return Item?.id === id ? (Item as Delivery) : undefined;
}
