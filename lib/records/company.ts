import { boarding, seats } from './boarding.ts';
import type { Collection, Stored } from './collection.ts';
import { pause } from './conflicts.ts';
import { noteCrowd } from './crowd.ts';
import type { Draft } from './draft.ts';
import { remember } from './head.ts';
import type { Place } from './keys.ts';
import { readCount } from './list.ts';
import { placeAt } from './place.ts';
import { type Fate, frontMax, readDrafts, readQueue, type Ticket, type Waiting } from './queue.ts';
import { enterRoom, leaveRoom, markPlaced, markTaken, withdraw } from './room.ts';

/** What a draft's fate is in the end. */
export type Settled = Exclude<Fate, { kind: 'waiting' }>;

/** To look at the queue, read the drafts, commit and look again follow each other: that is what placing everybody takes. */
const callsPerCycle = 4;

/** How many cycles everybody leaves it to the one before them in the queue to place all who wait: that one may have died. */
const patienceCycles = 4;

/** So many who wait at once will be there for a while: then a process goes to the room without having lost a race. */
const crowdMin = 4;

/** The longest pause between two looks. */
const pauseMaxMs = 1000;

/**
 * Creates a record while others create too. Retrying alone, a hundred creators would each win one race in a hundred;
 * here the one who waits longest places everybody who waits, and the others look now and then whether it is done.
 * @throws Error at the deadline; the draft is then out of the room and never placed
 */
export async function createInCompany<R extends Stored>(
  collection: Collection<R>,
  account: string,
  draft: Draft<R>,
  deadline: number,
): Promise<Settled> {
  const place = { account, type: collection.type };
  const ticket = await enterRoom(place, draft, deadline);
  try {
    const fate = await awaitFate(collection, place, ticket, deadline);
    await leaveRoom(place, ticket);
    return fate;
  } catch (error) {
    // Whatever went wrong, the answer to the client depends on whether the draft is in the collection.
    const fate = await withdraw(place, ticket);
    await leaveRoom(place, ticket);
    if (fate.kind === 'waiting') throw error;
    return fate;
  }
}

async function awaitFate<R extends Stored>(
  collection: Collection<R>,
  place: Place,
  ticket: string,
  deadline: number,
): Promise<Settled> {
  const entered = performance.now();
  for (let looks = 0; Date.now() < deadline; looks++) {
    const asked = performance.now();
    const queue = await readQueue(place);
    const cycleMs = callsPerCycle * (performance.now() - asked);
    const own = queue.find(({ id }) => id === ticket);
    if (own && own.fate.kind !== 'waiting') return own.fate;
    const waiting = queue.filter(({ fate, deadline }) => fate.kind === 'waiting' && deadline > Date.now());
    if (waiting.length >= crowdMin) noteCrowd(place);
    const ahead = own ? waiting.indexOf(own) : frontMax;
    if (ahead === 0 || performance.now() - entered > patienceCycles * cycleMs * ahead) {
      const positions = await placeEverybody(collection, place, waiting);
      const position = positions?.get(ticket);
      if (position !== undefined) return { kind: 'placed', position };
    } else await pause(pauseMs(cycleMs, ahead, looks));
  }
  throw new Error('The deadline passed while others created records in the same collection');
}

/**
 * The pause grows with the queue, with every look in vain, and with the time that the database takes to answer: a crowd
 * that asks all the time would keep it from its work.
 */
const pauseMs = (cycleMs: number, ahead: number, looks: number): number =>
  Math.min(pauseMaxMs, cycleMs * (1 + ahead / seats) * 1.5 ** looks);

/** How often a transaction is tried, at the length that its refusal told. Then the room has to be read again. */
const attemptsMax = 4;
const attemptPauseMs = 4;

/** Tries to place those who wait, as many as one transaction can carry. @returns the positions by ticket, when it did */
async function placeEverybody<R extends Stored>(
  collection: Collection<R>,
  place: Place,
  waiting: readonly Ticket[],
): Promise<Map<string, number> | undefined> {
  const tickets = waiting.slice(0, seats).map(({ id }) => id);
  const [drafts, length] = await Promise.all([readDrafts<R>(place, tickets), readCount(place)]);
  const aboard = boarding(drafts);
  let count = length;
  for (let attempts = 0; attempts < attemptsMax && aboard.length > 0; attempts++) {
    const boardings = aboard.map(({ draft, ticket }, i) => ({
      draft,
      extra: [markPlaced(place, ticket, count + i)],
    }));
    const outcome = await placeAt(collection, place.account, count, boardings);
    if (outcome.kind === 'placed') {
      remember(place, count + aboard.length);
      return new Map(aboard.map(({ ticket }, i) => [ticket, count + i]));
    }
    if (outcome.kind === 'taken') await tellTaken(place, aboard, outcome.by);
    // Whoever has been told, or was gone already, is not aboard the next time.
    if (outcome.kind === 'taken' || outcome.settled) return undefined;
    count = outcome.count ?? count;
    await pause(attemptPauseMs);
  }
  return undefined;
}

/** Everybody whose external id belongs to another record learns it from their item, this creator itself too. */
async function tellTaken<R extends Stored>(
  place: Place,
  aboard: readonly Waiting<R>[],
  by: Map<Draft<R>, string>,
): Promise<void> {
  const taken = aboard.filter(({ draft }) => by.has(draft));
  await Promise.all(taken.map(({ ticket, draft }) => markTaken(place, ticket, by.get(draft) as string)));
}
