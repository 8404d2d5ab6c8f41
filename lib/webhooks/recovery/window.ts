import { fewAtOnce } from '../../concurrency.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { type Action, write } from '../../dynamodb/transact.ts';
import { blockSize } from '../../records/position.ts';
import { readRange } from '../../records/range.ts';
import { type Delivery, logPositionOf } from '../model/delivery.ts';
import { logPositions, subscriptionKey } from '../model/keys.ts';
import { firstLogged, type Subscription } from '../model/subscription.ts';
import { lostAfterMs } from '../queue/due.ts';
import { deliveryMessage, enqueueDeliveries } from '../queue/messages.ts';
import { isOverload } from '../receivers/health.ts';

// A recovery goes over the log of a subscription in windows: it lets some deliveries wait for their attempts, and goes on when most of these
// were made. So its pace is that of the receiver, and a queue that is late gets no second messages.

/** The most positions that a step looks at: so a step is short, and long enough where it finds nothing. */
const positionsMax = 1000;

/** stop: a recovery comes back to the delivery later. */
export type Judgement = 'take' | 'pass' | 'stop';

export interface Scan {
  taken: Delivery[];
  /** The first position that the scan has not passed. */
  next: number;
  /** Why the scan has ended at `next`. */
  end: 'end' | 'full' | 'stop' | 'limit';
}

const readLog = (account: string, id: string, from: number, to: number): Promise<Delivery[]> =>
  readRange(logPositions(account, id), from, to) as Promise<unknown> as Promise<Delivery[]>;

/**
 * Looks at the deliveries from a position to before an end, in the order of the log.
 * @param most how many it takes
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
    for (const delivery of await readLog(account, id, next, to)) {
      const position = logPositionOf(delivery);
      // One is missing: a query may see one part of a transaction before another. An old one has expired.
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
  /** Attempts that are still to come. */
  open: number;
  accepted: number;
  overloads: number;
}

/**
 * Counts the attempts of a window. A step may pass over any number of positions before it looks at some, and takes only of those.
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
  const read = await readLog(account, id, Math.max(from, to - positionsMax), to);
  for (const { phase, attempts } of read.filter(isIn)) {
    const isOpen =
      phase.at === 'claimed' || (phase.at === 'waiting' && (phase.due <= now || phase.slots !== undefined));
    const attempt = attempts.at(-1);
    if (isOpen) answers.open++;
    else if (attempt === undefined || attempt.started_at < since) continue;
    else if (attempt.outcome === 'success') answers.accepted++;
    else if (isOverload(attempt)) answers.overloads++;
  }
  return answers;
}

/** Many more writes at the same time would wait for connections. */
const writtenAtOnce = 20;

/** Changes deliveries, each alone. @returns those that had not changed since they were read */
export async function changeDeliveries(
  deliveries: readonly Delivery[],
  change: (delivery: Delivery) => Action,
): Promise<Delivery[]> {
  const written = await fewAtOnce(deliveries, (delivery) => write(change(delivery)), writtenAtOnce);
  return deliveries.filter((_, i) => written[i]?.committed);
}

/** The position from which the next step goes on: at the first delivery that was to change, and had changed since it was read. */
export function reachedBy(next: number, wanted: readonly Delivery[], changed: readonly Delivery[]): number {
  const missed = wanted.filter((delivery) => !changed.includes(delivery)).map(logPositionOf);
  return Math.min(next, ...missed);
}

export const enqueueAll = (deliveries: readonly Delivery[], { receiver }: Subscription) =>
  enqueueDeliveries(deliveries.map((delivery) => deliveryMessage(delivery, receiver.speed)));

/**
 * A host that has never accepted anything gets one delivery that is sent again, and another one after this time: whoever asks may send to a
 * host that is not theirs. All redeliveries of a subscription have one clock.
 */
const unprovenMs = 15 * 60_000;

/** The write that takes the next turn of an unproven host. @returns it, and when the turn is, RFC 3339 UTC */
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
