import { type EventType, eventTypes, isSubscribed } from '../../contract/eventTypes.ts';
import type { RedeliveryRequest, WebhookRedelivery } from '../../contract/webhookRedeliveries.ts';
import type { Extent } from '../../records/list.ts';
import { countDeliveries } from '../log/listDeliveries.ts';
import type { Subscription } from '../model/subscription.ts';

/**
 * What a bulk redelivery leaves out of a part of a log, and why. The index counts it, which follows a change within about two seconds;
 * a delivery that is not in the index yet is pending.
 * @param log its subscription
 * @param extent the deliveries to its present host
 */
export async function countLeftOut(
  account: string,
  log: Subscription,
  { status, event_types }: RedeliveryRequest,
  extent: Extent,
): Promise<Omit<WebhookRedelivery['left_out'], 'earlier_host'>> {
  const isChosen = (type: EventType) => event_types === null || isSubscribed(event_types, type);
  const { true: chosenTypes = [], false: otherTypes = [] } = Object.groupBy(eventTypes, (type) =>
    isChosen(type) ? 'true' : 'false',
  );
  const count = (query: Parameters<typeof countDeliveries>[3]) =>
    countDeliveries(account, log.id, log, query, extent);
  const [other_type, succeeded, failed] = await Promise.all([
    otherTypes.length === 0 ? 0 : count({ event_type: otherTypes }),
    count({ status: ['succeeded'], event_type: chosenTypes }),
    count({ status: ['failed'], event_type: chosenTypes }),
  ]);
  const pending = Math.max(0, extent.end - extent.start - other_type - succeeded - failed);
  return { pending, other_status: status === 'failed' ? succeeded : 0, other_type };
}
