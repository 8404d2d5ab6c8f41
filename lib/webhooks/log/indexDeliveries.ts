import type { DynamoDBRecord } from 'aws-lambda';
import { fewAtOnce } from '../../concurrency.ts';
import { deliveryStatuses } from '../../contract/attempts.ts';
import { nameOf } from '../../dynamodb/item.ts';
import { readItems } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { type EntrySource, entriesIn, type IndexEntry } from '../../filterIndex/indexEntries.ts';
import { valueItem } from '../../filterIndex/indexKeys.ts';
import { maintain, type NamedItem, namedItem, positionsNamed } from '../../filterIndex/maintain.ts';
import { describeError, log } from '../../logs/log.ts';
import { partitionNumber } from '../../records/position.ts';
import type { SequenceRef } from '../../records/recordKeys.ts';
import { isAccount } from '../../schemas/account.ts';
import { type Delivery, logPositionOf } from '../model/delivery.ts';
import { expiryOfLogged } from '../model/subscription.ts';
import { isSubscriptionId } from '../model/subscriptions.ts';
import { deliveryKey } from '../model/webhookKeys.ts';
import { deliveryFields, statusField } from './deliveryLog.ts';

/** A written delivery in the stream of the Webhooks table, which contains keys only. */
interface StreamedDelivery {
  account: string;
  subscription: string;
  position: number;
  isNew: boolean;
  /** Identifies the change in the stream. */
  sequenceNumber: string;
}

/** Returns the delivery of a stream record; undefined for any other item, and for a removal, which changes no list's length. */
function streamedDelivery({ eventName, dynamodb }: DynamoDBRecord): StreamedDelivery | undefined {
  if (eventName === 'REMOVE') return undefined;
  const { pk, sk } = dynamodb?.Keys ?? {};
  const [account, subscription = '', partition, more] = String(pk?.S).split('#');
  const position = /^\d{12}$/.test(String(sk?.S)) ? Number(sk?.S) : undefined;
  if (!isAccount(account) || !isSubscriptionId(subscription) || position === undefined) return undefined;
  if (partition !== String(partitionNumber(position)) || more !== undefined) return undefined;
  const isNew = eventName === 'INSERT';
  return { account, subscription, position, isNew, sequenceNumber: dynamodb?.SequenceNumber as string };
}

/** How many logs are indexed at once, so that a log in conflict does not delay all others. */
const logsAtOnce = 2;

/**
 * Updates the sets of deliveries after changes of logs. A change only names a delivery, so changes may arrive twice, late and in any order.
 * @param deadline epoch milliseconds
 * @returns the sequence numbers of the changes that the stream must deliver again
 */
export async function indexDeliveries(
  records: readonly DynamoDBRecord[],
  deadline: number,
): Promise<string[]> {
  const changes = records.flatMap((record) => streamedDelivery(record) ?? []);
  const logs = Map.groupBy(changes, ({ account, subscription }) => `${account}#${subscription}`);
  const left = await fewAtOnce([...logs.values()], (group) => indexLog(group, deadline), logsAtOnce);
  return left.flat().map(({ sequenceNumber }) => sequenceNumber);
}

/** Indexes the changes of one log. @returns the changes that are not in the index at the deadline */
async function indexLog(
  changes: readonly StreamedDelivery[],
  deadline: number,
): Promise<readonly StreamedDelivery[]> {
  const [{ account, subscription }] = changes as [StreamedDelivery, ...StreamedDelivery[]];
  try {
    const positions = new Set(changes.map(({ position }) => position));
    const created = new Set(changes.flatMap(({ position, isNew }) => (isNew ? [position] : [])));
    const late = await indexPositions(account, subscription, positions, deadline, created);
    return changes.filter(({ position }) => late.has(position));
  } catch (error) {
    log.error('deliveries were not indexed', {
      account,
      subscription_id: subscription,
      error: describeError(error),
    });
    return changes;
  }
}

/**
 * Updates the sets of a log for the deliveries at these positions.
 * @param deadline epoch milliseconds
 * @param created the positions at which a delivery may be in no set yet
 * @returns the positions that are not in the index at the deadline
 */
export async function indexPositions(
  account: string,
  subscription: string,
  positions: ReadonlySet<number>,
  deadline: number,
  created = positions,
): Promise<Set<number>> {
  const ref = { account, type: subscription };
  const source: EntrySource = {
    entriesAt: (some) => entriesAt(ref, some),
    // Each delivery in an item is older than the last write of the item, so none can be read any longer when the item expires.
    expiry: () => expiryOfLogged(new Date()),
    // Nobody waits for the index, and a faster pace would delay the database for the requests and webhooks of others.
    batchesAtOnce: 1,
  };
  return positionsNamed(await maintain(source, await namedItems(ref, positions, created), deadline));
}

async function entriesAt(
  ref: SequenceRef,
  positions: ReadonlySet<number>,
): Promise<Map<number, Map<string, IndexEntry>>> {
  const keys = [...positions].map((position) => deliveryKey(ref.account, ref.type, position));
  const items = await readItems<Delivery>(webhooks, keys);
  return new Map(
    items.map((item) => {
      const entries = entriesIn(ref, deliveryFields, logPositionOf(item), item);
      return [logPositionOf(item), new Map(entries.map((entry) => [nameOf(entry.key), entry]))];
    }),
  );
}

/**
 * Returns the index items of deliveries. The status of a delivery changes, and a change does not show the previous one. The deliveries are
 * therefore evaluated in the sets of all statuses. All other fields stay unchanged, so only new deliveries are added to their sets.
 */
async function namedItems(
  ref: SequenceRef,
  positions: ReadonlySet<number>,
  created: ReadonlySet<number>,
): Promise<NamedItem[]> {
  const items = new Map<string, NamedItem>();
  for (const position of positions)
    for (const status of deliveryStatuses)
      namedItem(items, valueItem(ref, statusField, status, position)).toEvaluate.add(position);
  const current = await entriesAt(ref, created);
  for (const [position, entries] of current)
    for (const { key } of entries.values()) {
      const { toEvaluate, added } = namedItem(items, key);
      if (!toEvaluate.has(position)) added.set(position, undefined);
    }
  return [...items.values()];
}
