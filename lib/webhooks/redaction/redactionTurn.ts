import type { DynamoDBRecord } from 'aws-lambda';
import { absent } from '../../dynamodb/expressions.ts';
import { readItems } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { write } from '../../dynamodb/transact.ts';
import { env, required } from '../../env.ts';
import { eventId } from '../../feed/entry.ts';
import { describeError, log } from '../../logs/log.ts';
import { accountOf } from '../../records/change.ts';
import { type DeferredQueue, deferChanges } from '../../records/deferred.ts';
import { newRedaction, type Redaction, redactionKey } from '../../records/deletion/redaction.ts';
import type { StoredEvent } from '../model/event.ts';
import { type EventsById, readUnredacted, redactEvents } from './redactEvents.ts';

// Redacting the past of a deleted record takes as long as its history is long. Nobody waits for it, because nobody is shown or sent what is
// still there (redaction.ts). It goes on in turns, each of which is a message in the queue of deferred changes.

export const deferredFanOut: DeferredQueue = {
  url: () => required(env.deferredFanOutQueue),
  // So no deletion waits for the redaction of another one.
  groupOf: (change) => `${accountOf(change)}${isRedactionStep(change) ? '#redactions' : ''}`,
};

/** A deleted record, with the version of its tombstone. */
export interface DeletedRecord {
  id: string;
  version: number;
}

/** What stands for a change in the message of a turn. */
export interface RedactionStep extends DynamoDBRecord {
  redacts: DeletedRecord;
}

export const isRedactionStep = (record: DynamoDBRecord): record is RedactionStep => 'redacts' in record;

/** Sends the first message of the redaction of each record. @returns whether the queue accepted all of them */
export async function deferRedactions(account: string, deleted: readonly DeletedRecord[]): Promise<boolean> {
  const steps = deleted.map(
    ({ id, version }): RedactionStep => ({
      redacts: { id, version },
      dynamodb: { Keys: { pk: { S: redactionKey(account, id).pk } } },
    }),
  );
  return (await deferChanges(deferredFanOut, steps, 1)).length === steps.length;
}

/** The events and deliveries that are redacted between two looks at the clock. */
const sliceItems = 100;

/** The most versions of one read. */
const versionsAtOnce = 100;

/** If more events cannot be written, the cause is not in the events, and has to be removed first. */
const stuckMax = 20;

/**
 * Redacts the past of a deleted record, from its latest version on, as far as there is time; at least one slice. The next turn goes on
 * where this one ends.
 * @param until epoch milliseconds
 * @returns whether this was the last turn
 * @throws Error when the turn got no further
 */
export async function redactPast(account: string, record: DeletedRecord, until: number): Promise<boolean> {
  const before = await readOrBegin(account, record);
  if (isRedacted(before)) return true;
  const { failure, ...after } = await progressed(account, record.id, before, until);
  const isFurther = after.left < before.left || after.stuck.length < before.stuck.length;
  if (!isFurther) throw failure ?? new Error(`${after.stuck.length} events cannot be redacted`);
  if (failure)
    log.warn('a redaction was interrupted', { account, record: record.id, error: describeError(failure) });
  const { turns } = before;
  const { committed } = await write(
    webhooks.update(redactionKey(account, record.id), { ...after, turns: turns + 1 }, { if: { turns } }),
  );
  // If the turn of another message was faster, that one goes on.
  return !committed || isRedacted(after);
}

type Place = Pick<Redaction, 'left' | 'stuck'>;

const isRedacted = ({ left, stuck }: Place): boolean => left === 0 && stuck.length === 0;

/** Reads how far the redaction is. If the item is lost, it begins again, with the event of the deletion itself. */
async function readOrBegin(account: string, { id, version }: DeletedRecord): Promise<Redaction> {
  const key = redactionKey(account, id);
  const [found] = await readItems<Redaction>(webhooks, [key]);
  if (found) return found;
  const begun = newRedaction(version);
  const put = webhooks.put({ ...key, ...begun }, { if: { pk: absent }, showsItem: true });
  return ((await write(put)).refused?.item as Redaction | undefined) ?? begun;
}

/** @returns how far it came, and the error that ended it before its time */
async function progressed(
  account: string,
  id: string,
  before: Place,
  until: number,
): Promise<Place & { failure?: unknown }> {
  let { left, stuck } = before;
  /** @returns the versions whose events cannot be written */
  const redact = async (versions: Versions, events: EventsById): Promise<number[]> =>
    [...(await redactEvents(account, events))].map((event) => versions.get(event) as number);
  try {
    while (left > 0) {
      const versions = versionsOf(
        account,
        id,
        Array.from({ length: Math.min(versionsAtOnce, left) }, (_, i) => left - i),
      );
      for (const { last, events } of slicesOf(versions, await readUnredacted(account, versions.keys()))) {
        const failed = [...stuck, ...(await redact(versions, events))];
        if (failed.length > stuckMax) throw new Error(`More than ${stuckMax} events cannot be redacted`);
        [stuck, left] = [failed, last - 1];
        if (Date.now() >= until) return { left, stuck };
      }
    }
    // In the end, the events that could not be written are tried again.
    if (before.left === 0) {
      const versions = versionsOf(account, id, stuck);
      stuck = await redact(versions, await readUnredacted(account, versions.keys()));
    }
    return { left, stuck };
  } catch (failure) {
    return { left, stuck, failure };
  }
}

/** Versions of a record by the ids of their events, from the latest on. */
type Versions = ReadonlyMap<string, number>;

const versionsOf = (account: string, id: string, versions: readonly number[]): Versions =>
  new Map(versions.map((version) => [eventId(account, { id, version }), version]));

/** Events of versions that follow each other; `last` is the earliest of these versions. */
interface Slice {
  events: Map<string, StoredEvent>;
  last: number;
}

/** Divides versions into slices by what there is to redact of them. */
function slicesOf(versions: Versions, unredacted: EventsById): Slice[] {
  const slices: Slice[] = [];
  let items = Number.POSITIVE_INFINITY;
  for (const [id, version] of versions) {
    if (items >= sliceItems) {
      slices.push({ events: new Map(), last: version });
      items = 0;
    }
    const slice = slices.at(-1) as Slice;
    const event = unredacted.get(id);
    if (event) slice.events.set(id, event);
    items += event ? 1 + Object.keys(event.delivery_positions).length : 0;
    slice.last = version;
  }
  return slices;
}
