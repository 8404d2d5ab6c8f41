import { fewAtOnce } from '../concurrency.ts';
import { foundMax } from '../contract/console/consoleWebhooks.ts';
import type { WebhookDelivery } from '../contract/webhookDeliveries.ts';
import { readItem, readItems } from '../dynamodb/tableHandle.ts';
import { webhooks } from '../dynamodb/tables.ts';
import { withoutHidden } from '../webhooks/log/deliveryLog.ts';
import { listDeliveries } from '../webhooks/log/listDeliveries.ts';
import { type Delivery, shownDelivery } from '../webhooks/model/delivery.ts';
import { fromConsole } from '../webhooks/model/subscription.ts';
import { readSubscriptions } from '../webhooks/model/subscriptions.ts';
import type { StoredEvent } from '../webhooks/model/webhookEvent.ts';
import { deliveryKey, eventKey } from '../webhooks/model/webhookKeys.ts';

interface Found {
  data: WebhookDelivery[];
  has_more: boolean;
}

/**
 * Returns the deliveries that an id names in all subscriptions, newest first: the id of a delivery, an event, a record or a subscription.
 * Deliveries of a record appear within about two seconds.
 */
export async function findDeliveries(account: string, id: string): Promise<Found> {
  const subscriptions = (await readSubscriptions(account)).map((one) => one.id);
  if (id.startsWith('evt_')) return deliveriesOfEvent(account, id, subscriptions);
  const query = id.startsWith('dlv_') ? { id: [id] } : { resource_id: id };
  const pages = await fewAtOnce(subscriptions, (subscription) =>
    listDeliveries(account, subscription, { limit: foundMax, offset: 0, ...query }, fromConsole.access),
  );
  const data = newestFirst(pages.flatMap((page) => page.data));
  const total = pages.reduce((sum, { pagination }) => sum + pagination.total, 0);
  return { data: data.slice(0, foundMax), has_more: total > foundMax };
}

/** Finds the deliveries of an event, which knows their position in each log. */
async function deliveriesOfEvent(
  account: string,
  id: string,
  subscriptions: readonly string[],
): Promise<Found> {
  const event = await readItem<Partial<StoredEvent>>(webhooks, eventKey(account, id));
  const { delivery_positions = {} } = event ?? {};
  const keys = subscriptions.flatMap((subscription) => {
    const position = delivery_positions[subscription];
    return position === undefined ? [] : [deliveryKey(account, subscription, position)];
  });
  const found = await withoutHidden(account, await readItems<Delivery>(webhooks, keys));
  return {
    data: newestFirst(found.map((delivery) => shownDelivery(delivery, fromConsole.access))),
    has_more: false,
  };
}

const newestFirst = (deliveries: readonly WebhookDelivery[]): WebhookDelivery[] =>
  deliveries.toSorted((a, b) => b.created_at.localeCompare(a.created_at));
