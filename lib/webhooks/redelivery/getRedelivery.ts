import type { WebhookRedelivery } from '../../contract/webhookRedeliveries.ts';
import { notFound } from '../../errors/apiError.ts';
import { readLog } from '../log/log.ts';
import { isRedeliveryId } from '../model/keys.ts';
import { findRedelivery, shownRedelivery } from './redelivery.ts';

/**
 * A bulk redelivery. One of a deleted subscription is cancelled: its item says so only after its next message.
 * @throws ApiError 404 when the account has, and lately had, no such subscription or redelivery
 */
export async function getRedelivery(
  account: string,
  subscription: string,
  id: string,
): Promise<WebhookRedelivery> {
  const { deleted } = await readLog(account, subscription);
  const item = isRedeliveryId(id) ? await findRedelivery(account, subscription, id) : undefined;
  // DynamoDB may remove expired items days later.
  if (!item || (item.ttl ?? Number.POSITIVE_INFINITY) * 1000 < Date.now()) throw notFound('redelivery', id);
  const shown = shownRedelivery(item);
  return deleted && shown.state === 'running' ? { ...shown, state: 'cancelled' } : shown;
}
