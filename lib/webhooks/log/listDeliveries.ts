import type { DeliveryQuery, WebhookDelivery } from '../../contract/webhookDeliveries.ts';
import { invalidField } from '../../errors/apiError.ts';
import { constant } from '../../errors/constant.ts';
import { conditionsOf, type FilterConditions, fulfilsFilters } from '../../filterIndex/conditions.ts';
import { filteredPage, pageOf } from '../../filterIndex/listMatching.ts';
import type { Access } from '../../keys/access.ts';
import type { Extent, Page } from '../../records/listByOffset.ts';
import { positionsOf } from '../../records/position.ts';
import { completeRange, type Positions, readSome } from '../../records/positionRange.ts';
import type { PageQuery } from '../../schemas/lists.ts';
import { type Delivery, logPositionOf, shownDelivery } from '../model/delivery.ts';
import { deliveryPrefix, logPositions } from '../model/webhookKeys.ts';
import {
  asLogged,
  deliveryFields,
  extentOf,
  findDelivery,
  type Log,
  readLog,
  statusField,
  withoutHidden,
} from './deliveryLog.ts';

/**
 * Returns a page of a subscription's log, newest first. It costs the same at any offset. Without filters by values, it is strongly consistent.
 * Such filters reflect a change within about two seconds, but every delivery shown matches them as it is now.
 * @param access the access of the calling key
 * @throws ApiError 404 if the account has no such subscription and had none recently; 400 if `after` is not a delivery of its log
 */
export async function listDeliveries(
  account: string,
  subscription: string,
  query: DeliveryQuery,
  access: Access,
): Promise<Page<WebhookDelivery>> {
  const log = await readLog(account, subscription);
  const [{ start, end }, behind] = await Promise.all([
    extentOf(account, subscription, log, query),
    query.after === undefined ? log.logged.count : readPosition(account, subscription, query.after),
  ]);
  const extent = { start, end: Math.min(end, behind), newestFirst: true };
  const positions = logPositions(account, subscription);
  const read = async (at: readonly number[]) =>
    (await readSome(positions, at)).map((item) => asLogged(log, item as unknown as Delivery));
  const conditions = conditionsOf(deliveryFields, query);
  const isMatch = (delivery: Delivery) => fulfilsFilters(delivery, conditions);
  const filter = {
    ref: { account, type: subscription },
    length: async () => log.logged.count,
    conditions: storedConditions(log, conditions),
    read,
    isMatch,
  };
  const page = await (query.id !== undefined
    ? pageOfIds(query.id, read, isMatch, query, extent)
    : conditions.values.length > 0
      ? filteredPage(filter, query, extent)
      : pageOfAll(positions, log, query, extent));
  const shown = await withoutHidden(account, page.data);
  return { ...page, data: shown.map((delivery) => shownDelivery(delivery, access)) };
}

async function readPosition(account: string, subscription: string, id: string): Promise<number> {
  const delivery = await findDelivery(account, subscription, id);
  if (delivery) return logPositionOf(delivery);
  throw invalidField(
    constant`after`,
    constant`must be the id of a delivery in this list; no delivery has this id`,
  );
}

/**
 * Returns the equivalent conditions on the stored sets. The sets contain the stored status, while the log of a deleted subscription shows its
 * pending deliveries as cancelled.
 */
function storedConditions({ deleted }: Log, conditions: FilterConditions): FilterConditions {
  if (!deleted) return conditions;
  const stored = (statuses: readonly string[]) =>
    statuses.filter((status) => status !== 'pending').concat(statuses.includes('cancelled') ? 'pending' : []);
  const values = conditions.values.map((condition) =>
    condition.field.name === statusField.name
      ? { ...condition, values: stored(condition.values) }
      : condition,
  );
  return { ...conditions, values };
}

async function pageOfAll(
  positions: Positions,
  log: Log,
  { limit, offset }: PageQuery,
  { start: first, end: last }: Extent,
): Promise<Page<Delivery>> {
  const end = Math.max(first, last - offset);
  const start = Math.max(first, end - limit);
  const items = await completeRange(positions, start, end);
  const data = items.map((item) => asLogged(log, item as unknown as Delivery)).reverse();
  return { data, pagination: { limit, offset, total: Math.max(0, last - first) } };
}

/** Returns a page of the deliveries with these ids. An id contains the position of its delivery. */
async function pageOfIds(
  ids: readonly string[],
  read: (at: readonly number[]) => Promise<Delivery[]>,
  isMatch: (delivery: Delivery) => boolean,
  query: PageQuery,
  extent: Extent,
): Promise<Page<Delivery>> {
  const positions = positionsOf(deliveryPrefix, ids).filter(
    (position) => position >= extent.start && position < extent.end,
  );
  const found = await read(positions);
  return pageOf(
    found.filter((one) => ids.includes(one.id) && isMatch(one)),
    query,
    extent,
  );
}
