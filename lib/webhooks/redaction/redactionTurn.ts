import type { DynamoDBRecord } from 'aws-lambda';
import { absent } from '../../dynamodb/expressions.ts';
import { readItems } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { write } from '../../dynamodb/transact.ts';
import { env, required } from '../../env.ts';
import { eventId } from '../../feed/feedEntry.ts';
import { describeError, log } from '../../logs/log.ts';
import { accountOf } from '../../records/change.ts';
import { type DeferredQueue, deferChanges } from '../../records/deferChanges.ts';
import { newRedaction, type Redaction, redactionKey } from '../../records/deletion/redaction.ts';
import { readUnredacted, redactEvents } from './redactEvents.ts';

// The redaction of a deleted record's events takes longer for a longer history. Nobody waits for it, because nobody can see or receive the
// content that remains (redaction.ts). It works in steps, and each step is a message in the queue of deferred changes.

export const deferredFanOut: DeferredQueue = {
  url: () => required(env.deferredFanOutQueue),
  // Gives redactions a group of their own, so that deletions do not wait for them.
  groupOf: (change) => `${accountOf(change)}${isRedactionStep(change) ? '#redactions' : ''}`,
};

/** A deleted record, with the version of its tombstone. */
export interface DeletedRecord {
  id: string;
  version: number;
}

/** A redaction step, which takes the place of a change in a message. */
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

/** How many versions are redacted between two checks of the time. Each has an event, and a delivery for each of at most 25 subscriptions. */
const versionsAtOnce = 20;

/** If more events than this cannot be written, the events are not the cause. The cause must be removed first. */
const stuckMax = 20;

/**
 * Redacts the events of a deleted record, from its latest version on, as far as time allows, but at least some versions. The next step
 * continues where this one ends.
 * @param until epoch milliseconds
 * @returns whether this was the last step
 * @throws Error if the step made no progress
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
  // If the step of another message was faster, that message continues.
  return !committed || isRedacted(after);
}

type Place = Pick<Redaction, 'left' | 'stuck'>;

const isRedacted = ({ left, stuck }: Place): boolean => left === 0 && stuck.length === 0;

/** Reads the progress of the redaction. If the item is lost, the redaction begins again with the event of the deletion itself. */
async function readOrBegin(account: string, { id, version }: DeletedRecord): Promise<Redaction> {
  const key = redactionKey(account, id);
  const [found] = await readItems<Redaction>(webhooks, [key]);
  if (found) return found;
  const begun = newRedaction(version);
  const put = webhooks.put({ ...key, ...begun }, { if: { pk: absent }, showsItem: true });
  return ((await write(put)).refused?.item as Redaction | undefined) ?? begun;
}

/** @returns the progress, and the error that ended the step early */
async function progressed(
  account: string,
  id: string,
  before: Place,
  until: number,
): Promise<Place & { failure?: unknown }> {
  let { left, stuck } = before;
  /** @returns the versions whose events cannot be written */
  const redact = async (versions: readonly number[]): Promise<number[]> => {
    const byEvent = new Map(versions.map((version) => [eventId(account, { id, version }), version]));
    const failed = await redactEvents(account, await readUnredacted(account, byEvent.keys()));
    return [...failed].map((event) => byEvent.get(event) as number);
  };
  try {
    while (left > 0) {
      const next = Array.from({ length: Math.min(versionsAtOnce, left) }, (_, i) => left - i);
      const failed = [...stuck, ...(await redact(next))];
      if (failed.length > stuckMax) throw new Error(`More than ${stuckMax} events cannot be redacted`);
      [stuck, left] = [failed, left - next.length];
      if (Date.now() >= until) break;
    }
    // At the end, the events that could not be written are retried.
    if (before.left === 0) stuck = await redact(stuck);
    return { left, stuck };
  } catch (failure) {
    return { left, stuck, failure };
  }
}
