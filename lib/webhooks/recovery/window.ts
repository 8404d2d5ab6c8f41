import { fewAtOnce } from '../../concurrency.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { type Action, write } from '../../dynamodb/transact.ts';
import { blockSize } from '../../records/position.ts';
import { readRange } from '../../records/positionRange.ts';
import { type Delivery, logPositionOf } from '../model/delivery.ts';
import { firstLogged, type Subscription } from '../model/subscription.ts';
import { logPositions, subscriptionKey } from '../model/webhookKeys.ts';
import { deliveryMessage, enqueueDeliveries, lostAfterMs } from '../queue/messages.ts';
import { isOverload } from '../receivers/health.ts';

// A recovery reads the log of a subscription in windows. It schedules some deliveries, and continues after most of their attempts were made.
// The receiver therefore sets the pace, and a queue that is late gets no duplicate messages.

/** The most positions that one step examines. This keeps a step short, but covers enough positions if the step finds nothing. */
const positionsMax = 1000;

/** stop: a recovery returns to the delivery later. */
export type Judgement = 'take' | 'pass' | 'stop';

export interface Scan {
  taken: Delivery[];
  /** The first position that the scan has not passed. */
  next: number;
  /** Why the scan ended at `next`. */
  end: 'end' | 'full' | 'stop' | 'limit';
}

const readDeliveries = (account: string, id: string, from: number, to: number): Promise<Delivery[]> =>
  readRange(logPositions(account, id), from, to) as Promise<unknown> as Promise<Delivery[]>;

/**
 * Scans the deliveries from one position (inclusive) to another (exclusive), in the order of the log.
 * @param most how many deliveries it takes
 */
export async function scan(
  account: string,
  { id, logged }: Subscription,
  { from, end, most }: { from: number; end: number; most: number },
  judge: (delivery: Delivery) => Judgement,
): Promise<Scan> {
  const taken: Delivery[] = [];
  const isNew = (time: string | undefined): boolean =>
    time !== undefined && Date.parse(time) > Date.now() - lostAfterMs;
  const last = Math.min(end, Math.max(from, firstLogged(logged)) + positionsMax);
  let next = Math.min(end, Math.max(from, firstLogged(logged)));
  while (next < last) {
    const to = Math.min(last, (Math.floor(next / blockSize) + 1) * blockSize);
    for (const delivery of await readDeliveries(account, id, next, to)) {
      const position = logPositionOf(delivery);
      // A delivery is missing. If it is new, the query may have seen only part of a transaction. An old one has expired.
      if (position > next && isNew(delivery.created_at)) return { taken, next, end: 'stop' };
      const judgement = judge(delivery);
      if (judgement === 'stop') return { taken, next: position, end: 'stop' };
      if (judgement === 'take' && taken.length === most) return { taken, next: position, end: 'full' };
      if (judgement === 'take') taken.push(delivery);
      next = position + 1;
    }
    if (next < to && isNew(logged.at)) return { taken, next, end: 'stop' };
    next = to;
  }
  return { taken, next, end: next >= end ? 'end' : 'limit' };
}

interface Answers {
  /** Attempts that have not ended yet. */
  open: number;
  accepted: number;
  overloads: number;
}

/**
 * Counts the attempts of a window by outcome. A step may skip many positions, but takes deliveries only from the last `positionsMax`.
 * @param since when the window began, RFC 3339 UTC
 */
export async function answersOf(
  account: string,
  id: string,
  { from, to, since }: { from: number; to: number; since: string },
  isIn: (delivery: Delivery) => boolean = () => true,
): Promise<Answers> {
  const answers: Answers = { open: 0, accepted: 0, overloads: 0 };
  if (from >= to) return answers;
  const now = new Date().toISOString();
  const read = await readDeliveries(account, id, Math.max(from, to - positionsMax), to);
  for (const { phase, attempts } of read.filter(isIn)) {
    const isOpen =
      phase.at === 'leased' || (phase.at === 'waiting' && (phase.due <= now || phase.slots !== undefined));
    const attempt = attempts.at(-1);
    if (isOpen) answers.open++;
    else if (attempt === undefined || attempt.started_at < since) continue;
    else if (attempt.outcome === 'success') answers.accepted++;
    else if (isOverload(attempt)) answers.overloads++;
  }
  return answers;
}

/** More concurrent writes would only wait for connections. */
const writtenAtOnce = 20;

/** Changes deliveries, each in its own write. @returns those that had not changed since they were read */
export async function changeDeliveries(
  deliveries: readonly Delivery[],
  change: (delivery: Delivery) => Action,
): Promise<Delivery[]> {
  const written = await fewAtOnce(deliveries, (delivery) => write(change(delivery)), writtenAtOnce);
  return deliveries.filter((_, i) => written[i]?.committed);
}

/** Returns the position at which the next step continues: that of the first delivery whose change was refused, or `next`. */
export function resumePosition(
  next: number,
  wanted: readonly Delivery[],
  changed: readonly Delivery[],
): number {
  const missed = wanted.filter((delivery) => !changed.includes(delivery)).map(logPositionOf);
  return Math.min(next, ...missed);
}

export const enqueueAll = (deliveries: readonly Delivery[], { receiver }: Subscription) =>
  enqueueDeliveries(deliveries.map((delivery) => deliveryMessage(delivery, receiver.speed)));

/**
 * The interval between redeliveries to a host that has never accepted anything. The requester may not own the host, so it gets one redelivery
 * at a time. All redeliveries of a subscription share this limit.
 */
const unprovenMs = 15 * 60_000;

/** Reserves the next redelivery to an unproven host. @returns the write, and the time of the redelivery, RFC 3339 UTC */
export function unprovenTurn(account: string, to: Subscription, now: number): { at: string; action: Action } {
  const { unproven_until: until } = to.receiver;
  const at = until === undefined ? now : Math.max(now, Date.parse(until));
  const changes = { 'receiver.unproven_until': new Date(at + unprovenMs).toISOString() };
  const conditions = { version: to.version, 'receiver.unproven_until': until };
  return {
    at: new Date(at).toISOString(),
    action: webhooks.update(subscriptionKey(account, to.id), changes, { if: conditions }),
  };
}
