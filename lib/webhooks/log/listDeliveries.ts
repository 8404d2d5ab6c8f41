import type { DeliveryQuery, WebhookDelivery } from '../../contract/webhookDeliveries.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { badRequest } from '../../errors/apiError.ts';
import { constant } from '../../errors/constant.ts';
import { problemOf } from '../../errors/problem.ts';
import type { Access } from '../../keys/access.ts';
import { type Conditions, fulfils } from '../../lists/conditions.ts';
import { filteredPage, pageOf } from '../../lists/list.ts';
import type { Filter } from '../../lists/matching.ts';
import { readItems } from '../../lists/readRecords.ts';
import type { SequenceRef } from '../../records/keys.ts';
import type { Extent, Page } from '../../records/list.ts';
import { positionsOf } from '../../records/position.ts';
import { completeRange, type Positions, readRange } from '../../records/range.ts';
import type { PageQuery } from '../../values/lists.ts';
import { type Delivery, positionOf, shownDelivery } from '../model/delivery.ts';
import { deliveryPrefix, logPartition } from '../model/keys.ts';
import {
  asLogged,
  extentOf,
  findDelivery,
  type Log,
  readLog,
  shownConditions,
  storedConditions,
} from './log.ts';

/**
 * A page of a subscription's log, newest first. It costs the same at any offset. Without filters by values it is strongly consistent;
 * those follow a change within about two seconds, and each delivery that is shown matches them as it is now.
 * @param access what the calling key may do
 * @throws ApiError 404 when the account has, and lately had, no such subscription; 400 when `after` is not a delivery of its log
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
    query.after === undefined ? log.log_count : readPosition(account, subscription, query.after),
  ]);
  const extent = { start, end: Math.min(end, behind), newestFirst: true };
  const reader = new LogReader(account, subscription, log);
  const conditions = shownConditions(query);
  const page = await (query.id !== undefined
    ? reader.withIds(query.id, conditions, query, extent)
    : conditions.values.length > 0
      ? reader.filtered(conditions, query, extent)
      : reader.all(query, extent));
  return { ...page, data: page.data.map((delivery) => shownDelivery(delivery, access)) };
}

async function readPosition(account: string, subscription: string, id: string): Promise<number> {
  const delivery = await findDelivery(account, subscription, id);
  if (delivery) return positionOf(delivery);
  throw badRequest([
    problemOf(constant`after`, constant`must be the id of a delivery of this list; no delivery has it`),
  ]);
}

/** Reads deliveries of one log as it shows them. */
class LogReader {
  private readonly ref: SequenceRef;
  private readonly log: Log;
  private readonly positions: Positions;

  constructor(account: string, subscription: string, log: Log) {
    this.ref = { account, type: subscription };
    this.log = log;
    this.positions = {
      table: webhooks.name,
      partitionOf: (position) => logPartition(account, subscription, position),
    };
  }

  /** A page of all deliveries in a part of the log. */
  async all({ limit, offset }: PageQuery, { start: first, end: last }: Extent): Promise<Page<Delivery>> {
    const end = Math.max(first, last - offset);
    const start = Math.max(first, end - limit);
    const read = await readRange(this.positions, start, end);
    const items = await completeRange(this.positions, start, end, read);
    const data = this.shown(items).reverse();
    return { data, pagination: { limit, offset, total: Math.max(0, last - first) } };
  }

  /** A page of the deliveries in a part of the log that fulfil conditions. */
  filtered(conditions: Conditions, query: PageQuery, extent: Extent): Promise<Page<Delivery>> {
    return filteredPage(this.filter(conditions), query, extent);
  }

  /** A page of the deliveries with these ids, in a part of the log, that fulfil conditions. An id has the position of its delivery. */
  async withIds(
    ids: readonly string[],
    conditions: Conditions,
    query: PageQuery,
    extent: Extent,
  ): Promise<Page<Delivery>> {
    const positions = positionsOf(deliveryPrefix, ids).filter(
      (position) => position >= extent.start && position < extent.end,
    );
    const items = await readItems(this.positions, positions);
    const found = this.shown(items).filter((one) => ids.includes(one.id) && fulfils(one, conditions));
    return pageOf(found, query, extent);
  }

  private filter(conditions: Conditions): Filter<Delivery> {
    return {
      ref: this.ref,
      length: { read: async () => this.log.log_count },
      conditions: storedConditions(this.log, conditions),
      read: async (at: readonly number[]) => this.shown(await readItems(this.positions, at)),
      isMatch: (delivery: Delivery) => fulfils(delivery, conditions),
    };
  }

  private shown(items: readonly object[]): Delivery[] {
    return items.map((item) => asLogged(this.log, item as Delivery));
  }
}
