import type { WebhookDeliveryWithBody } from '../../contract/webhookDeliveries.ts';
import { readItem } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { notFound } from '../../errors/apiError.ts';
import type { Access } from '../../keys/access.ts';
import { positionOf } from '../../records/position.ts';
import { type Delivery, shownDelivery } from '../model/delivery.ts';
import { firstLogged } from '../model/kept.ts';
import { deliveryKey, deliveryPrefix } from '../model/keys.ts';
import { asLogged, type Log, readLog } from './log.ts';
import { sentBody } from './sentBody.ts';

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
  return asLogged(log, item);
}

const isKept = (log: Log, id: string): boolean => (positionOf(deliveryPrefix, id) ?? -1) >= firstLogged(log);

/** A delivery with the text that was sent, as far as the calling key may read it. @throws ApiError 404 as `readDelivery` */
export async function getDelivery(
  account: string,
  subscription: string,
  id: string,
  access: Access,
): Promise<WebhookDeliveryWithBody> {
  const log = await readLog(account, subscription);
  const delivery = await readDelivery(account, subscription, log, id);
  return { ...shownDelivery(delivery, access), body: await sentBody(account, log, delivery, access) };
}

/** @returns undefined when there is no such delivery; the id must be that of a delivery */
export async function findDelivery(
  account: string,
  subscription: string,
  id: string,
): Promise<Delivery | undefined> {
  const key = deliveryKey(account, subscription, positionOf(deliveryPrefix, id) as number);
  const delivery = await readItem<Delivery>(webhooks, key);
  return delivery?.id === id ? delivery : undefined;
}
