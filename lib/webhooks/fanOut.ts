import type { DynamoDBRecord } from 'aws-lambda';
import { isSubscribed } from '../contract/eventTypes.ts';
import { BusyError, isPassing, pause } from '../dynamodb/conflicts.ts';
import { transact } from '../dynamodb/transact.ts';
import { describeError, log } from '../log.ts';
import { noteConflict, onlyConflicts } from '../metrics.ts';
import { accountOf, readChange } from './change.ts';
import { commitmentOf, nextBatch } from './commitment.ts';
import { type Ring, ring } from './doorbell.ts';
import { eventOf, type WebhookEvent } from './event.ts';
import { readSubscriptions } from './readSubscriptions.ts';
import type { Subscription } from './subscription.ts';

/**
 * Makes events of changes, and of each event a delivery for every subscription to it.
 * @param deadline epoch milliseconds; trouble that may pass is waited out until then
 * @returns the sequence numbers of the records that have to come again
 * @throws Error when something is wrong with a record: only a batch that fails as a whole is cut in halves, until that
 *   record is alone and the others are through. What of them has been done already is not done again.
 */
export async function fanOut(records: readonly DynamoDBRecord[], deadline: number): Promise<string[]> {
  const failed: string[] = [];
  const poison: unknown[] = [];
  const groups = Map.groupBy(records, accountOf);
  const counts = await Promise.all(
    [...groups].map(async ([account, group]) => {
      try {
        return await commitAll(account, group, deadline);
      } catch (error) {
        if (!isPassing(error)) poison.push(error);
        log.error('changes were not fanned out', { account, error: describeError(error) });
        failed.push(...group.map(({ dynamodb }) => dynamodb?.SequenceNumber as string));
        return 0;
      }
    }),
  );
  const deliveries = counts.reduce((sum, count) => sum + count, 0);
  log.info('fanned out', { records: records.length, deliveries, failed: failed.length, ...onlyConflicts() });
  if (poison.length > 0) throw new AggregateError(poison, 'Some changes cannot be fanned out');
  return failed;
}

/** @returns how many deliveries were made */
async function commitAll(
  account: string,
  records: readonly DynamoDBRecord[],
  deadline: number,
): Promise<number> {
  const ringing: Promise<Ring[]>[] = [];
  let deliveries = 0;
  let rest: WebhookEvent[] | undefined;
  do {
    const subscriptions = await patiently(deadline, () => readSubscriptions(account));
    // Most changes are of accounts without any: what they say then is of no interest.
    if (subscriptions.length === 0) break;
    const events = rest ?? eventsOf(records);
    const { done, rings } = await patiently(deadline, () => commitNext(account, subscriptions, events));
    if (done.size === 0 && Date.now() > deadline)
      throw new BusyError('Others were at the same logs all the time');
    ringing.push(ring(rings));
    deliveries += rings.length;
    rest = events.filter((event) => !done.has(event));
  } while (rest.length > 0);
  await Promise.all(ringing);
  return deliveries;
}

/** The events of changes, each once, as a transaction must not put the same one twice. */
function eventsOf(records: readonly DynamoDBRecord[]): WebhookEvent[] {
  const events = records.flatMap((record) => {
    const change = readChange(record);
    return change ? [eventOf(change)] : [];
  });
  return [...new Map(events.map((event) => [event.id, event])).values()];
}

/** How long others can be at the same items, or the database out of reach, before it is asked again. */
const passingPauseMs = 500;

async function patiently<T>(deadline: number, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || Date.now() > deadline) throw error;
      await pause(passingPauseMs);
    }
  }
}

/** Commits the first events that somebody is subscribed to. @returns what is done with, and the bells of what was committed */
async function commitNext(
  account: string,
  subscriptions: readonly Subscription[],
  events: readonly WebhookEvent[],
): Promise<{ done: Set<WebhookEvent>; rings: Ring[] }> {
  const planned = events
    .map((event) => ({
      event,
      to: subscriptions.filter(({ event_types }) => isSubscribed(event_types, event.type)),
    }))
    .filter(({ to }) => to.length > 0);
  if (planned.length === 0) return { done: new Set(events), rings: [] };
  const batch = nextBatch(planned);
  const { actions, rings } = commitmentOf(account, batch, new Date());
  const verdicts = await transact(actions);
  if (!verdicts) return { done: new Set(batch.map(({ event }) => event)), rings };
  // The stream tells some changes twice; of these the events are there, with all their deliveries.
  const known = batch.filter((_, i) => verdicts[i]?.kind === 'refused').map(({ event }) => event);
  if (known.length === 0) {
    noteConflict();
    await pause(contentionPauseMs);
  }
  return { done: new Set(known), rings: [] };
}

const contentionPauseMs = 20;
