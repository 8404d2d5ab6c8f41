import { expect } from 'vitest';
import { isSubscribed } from '../../../lib/contract/eventTypes.ts';
import { readMany } from '../../../lib/dynamodb/manyItems.ts';
import { env, required } from '../../../lib/env.ts';
import { readCount } from '../../../lib/records/counter.ts';
import { recordsOf } from '../../../lib/records/listByOffset.ts';
import { positionKey } from '../../../lib/records/position.ts';
import { readRange } from '../../../lib/records/positionRange.ts';
import { resourceTypes } from '../../../lib/resources/index.ts';
import { readLog } from '../../../lib/webhooks/log/deliveryLog.ts';
import { type Delivery, logPositionOf, statusOf } from '../../../lib/webhooks/model/delivery.ts';
import type { Subscription } from '../../../lib/webhooks/model/subscription.ts';
import { readSubscriptions } from '../../../lib/webhooks/model/subscriptions.ts';
import { bodyFor } from '../../../lib/webhooks/model/webhookEvent.ts';
import { dueShards, eventKey, logPartition } from '../../../lib/webhooks/model/webhookKeys.ts';
import type { Receiver, WebhookRequest } from './receiver.ts';

/** An account with a subscription, and its path on the receiver. */
export interface GivenSubscriber {
  account: string;
  id: string;
  path: string;
  event_types: string[];
}

/** The number of deliveries by status, without those of which there are none. */
export type Counts = Partial<Record<ReturnType<typeof statusOf>, number>>;

/** An event as it was stored. */
interface StoredEvent {
  id: string;
  type: string;
  /** Its bodies; undefined when an erasure has replaced those that were sent before it. */
  bodies: string[] | undefined;
  /** The record and its version. */
  change: string;
}

const readAtOnce = 500;

/** All deliveries of a subscription, up to the first gap of its log. */
export async function deliveriesTo({
  account,
  id,
}: Pick<GivenSubscriber, 'account' | 'id'>): Promise<Delivery[]> {
  const { logged } = await readLog(account, id);
  const table = required(env.webhooksTable);
  const partitionOf = (position: number) => logPartition(account, id, position);
  const items: unknown[] = [];
  for (let at = 0; at < logged.count; at += readAtOnce)
    items.push(...(await readRange({ table, partitionOf }, at, Math.min(logged.count, at + readAtOnce))));
  const deliveries = items as Delivery[];
  expect(deliveries.map(({ sk }) => sk)).toEqual(
    Array.from({ length: logged.count }, (_, at) => positionKey(at)),
  );
  return deliveries;
}

/** All committed changes of an account, one for each version of each record, also of a deleted one. */
async function changesIn(account: string): Promise<string[]> {
  const lists = await Promise.all(
    resourceTypes.map(async (type) => {
      const ref = { account, type };
      return (await readRange(recordsOf(ref), 0, await readCount(ref))) as { id: string; version: number }[];
    }),
  );
  return lists
    .flat()
    .flatMap(({ id, version }) => Array.from({ length: version }, (_, before) => `${id} ${before + 1}`));
}

async function eventsOf(account: string, deliveries: readonly Delivery[]): Promise<Map<string, StoredEvent>> {
  const ids = [...new Set(deliveries.map(({ event_id }) => event_id))];
  const events = new Map<string, StoredEvent>();
  for (let at = 0; at < ids.length; at += 100) {
    const keys = ids.slice(at, at + 100).map((id) => eventKey(account, id));
    for (const { body, redacted } of await readMany(required(env.webhooksTable), keys)) {
      const full = body as string;
      const { id, type, resource } = JSON.parse(full);
      events.set(id, {
        id,
        type,
        bodies: redacted ? undefined : [full, bodyFor('thin', full)],
        change: `${resource.id} ${resource.version}`,
      });
    }
  }
  return events;
}

/** A delivery that waits is in the due index, and one that is held is not before the recovery of its subscription, which is in the due index. */
function checkPhase(subscription: Subscription | undefined, delivery: Delivery): void {
  const { phase, due_partition, enqueue_at, next_attempt_at, id } = delivery;
  if (phase.at === 'waiting') expect(dueShards, id).toContain(due_partition);
  else if (phase.at !== 'leased') expect({ due_partition, enqueue_at, next_attempt_at }, id).toEqual({});
  if (phase.at === 'ended' || due_partition !== undefined || !subscription) return;
  expect(logPositionOf(delivery), id).toBeGreaterThanOrEqual(subscription.recovery.next);
  expect(dueShards, id).toContain(subscription.due_partition);
  expect(subscription.enqueue_at, id).toBeDefined();
}

/** Every received body is that of a stored event, complete and signed; and every delivery that has succeeded was received. */
function checkReceived(
  received: readonly WebhookRequest[],
  deliveries: readonly Delivery[],
  events: Map<string, StoredEvent>,
): void {
  for (const { id, body, verifiedBy } of received) {
    expect(events.has(id), `the event of ${id}`).toBe(true);
    const { bodies } = events.get(id) as StoredEvent;
    if (bodies) expect(bodies, `the body of ${id}`).toContain(body);
    expect(verifiedBy.length, `the signature of ${id}`).toBeGreaterThan(0);
  }
  const ids = new Set(received.map(({ id }) => id));
  for (const { phase, event_id } of deliveries)
    if (statusOf(phase) === 'succeeded') expect(ids.has(event_id), `${event_id} was not received`).toBe(true);
}

/**
 * Checks that every committed change has one event, that every event has one delivery for each subscription to it, that
 * no pending delivery is missing in the due index, and that every succeeded delivery was received. The subscriptions
 * must be older than all changes.
 * @param all every subscription that the account has, or had
 */
export async function checkConservation(
  receiver: Receiver,
  all: readonly GivenSubscriber[],
): Promise<Counts> {
  const counts: Counts = {};
  const { account } = all[0] as GivenSubscriber;
  const current = new Map((await readSubscriptions(account)).map((one) => [one.id, one]));
  const logs = await Promise.all(all.map(deliveriesTo));
  const events = await eventsOf(account, logs.flat());
  const changes = await changesIn(account);
  for (const [i, { id, path, event_types }] of all.entries()) {
    const deliveries = logs[i] as Delivery[];
    const wanted = [...events.values()].filter(({ type }) => isSubscribed(event_types, type));
    const delivered = deliveries.map(({ event_id }) => events.get(event_id)?.change);
    expect(delivered.toSorted()).toEqual(wanted.map(({ change }) => change).sort());
    if (event_types.includes('*')) expect(delivered.toSorted()).toEqual(changes.toSorted());
    for (const delivery of deliveries) {
      checkPhase(current.get(id), delivery);
      const status = statusOf(delivery.phase);
      counts[status] = (counts[status] ?? 0) + 1;
    }
    const ids = new Set(deliveries.map(({ event_id }) => event_id));
    checkReceived(
      receiver.requestsAt(path).filter((one) => ids.has(one.id)),
      deliveries,
      events,
    );
  }
  return counts;
}
