import { atMost } from '../concurrency.ts';
import type { Refusal } from '../contract/outboxContract.ts';
import { isTransient } from '../dynamodb/conflicts.ts';
import { env, optional } from '../env.ts';
import { joinProblems } from '../errors/apiError.ts';
import { describeError, log } from '../logs/log.ts';
import { conflictMetrics, counts as counted, editsMet } from '../logs/metrics.ts';
import { sendMessages } from '../outbox/sendMessages.ts';
import { wholeOf } from '../records/edits.ts';
import { positionOf } from '../records/position.ts';
import { inAccount } from '../records/recordKeys.ts';
import type { Refused } from '../records/refusals.ts';
import { entriesMax } from '../records/upsert/upsert.ts';
import { collectionAt } from './inboxResources.ts';
import { loggedSubject, namesIn, type ReadMessage, readMessage, type Subject } from './readMessage.ts';
import { LinksLeft, type StoreResult, storeMessages } from './storeMessages.ts';

export interface InboxMessage {
  id: string;
  body: string;
  /** How often the message was received, including this time; once if undefined. */
  receives?: number;
}

type QueuedMessage = ReadMessage & { id: string; receives: number };

/** After this many receives, a deletion no longer waits for the record into which it merges. */
const waitsMax = 4;

/** The longest that deletions retry: longer than other processes are busy with the same items. */
const deletionMs = 10_000;

/** The longest that the messages of one account and resource may delay other messages of their batch, in milliseconds. */
const shareMs = 2000;

/** The time that a started batch may take, in milliseconds. The function reserves it. */
export const ingestReserveMs = 20_000;

/** The results of messages. Failed messages are received again, and are dead-lettered after too many receives. */
interface Outcome {
  counts: Record<Exclude<StoreResult['kind'], 'waiting'> | 'incomplete' | 'failed' | 'unreached', number>;
  failed: string[];
  refusals: Refusal[];
  edits: { kept: number; overwritten: number };
  deadline: number;
  onWaiting: OnWaiting;
}

/** @param goesOn whether one step for the message has ended and the next one can begin */
type OnWaiting = (id: string, goesOn?: boolean) => void;

/**
 * Stores the records of messages. If a message cannot be stored, only that message fails. A message that is stored again has no effect, so a
 * queue may deliver it twice, or late.
 * @param deadline epoch milliseconds after which no more work begins; messages that were not reached are received again
 * @param onWaiting is called with the id of each message that waits for another one, or for its next step
 * @returns the ids of the messages that must be received again
 */
export async function ingest(
  messages: readonly InboxMessage[],
  deadline: number,
  onWaiting: OnWaiting = () => {},
): Promise<string[]> {
  const outcome: Outcome = {
    counts: {
      created: 0,
      updated: 0,
      deleted: 0,
      unchanged: 0,
      outdated: 0,
      refused: 0,
      incomplete: 0,
      failed: 0,
      unreached: 0,
    },
    failed: [],
    refusals: [],
    edits: { kept: 0, overwritten: 0 },
    deadline,
    onWaiting,
  };
  const queued = messages.flatMap((message) => read(message, outcome));
  const groups = Map.groupBy(queued, ({ account, resource }) => `${account}/${resource}`);
  await Promise.all(
    [...groups.values()].map(async (group) => {
      const open = new Set(group.map(({ id }) => id));
      const work = ingestGroup(group, outcome, open);
      await (groups.size === 1 ? work : atMost(shareMs, work));
      leaveOpen(open, outcome);
    }),
  );
  await reportRefusals(outcome);
  const { counts, edits } = outcome;
  // If `editsMet` returns metrics, they already include the conflicts.
  log.info('ingested', { messages: messages.length, ...counts, ...editsMet(edits), ...conflictMetrics() });
  return outcome.failed;
}

/**
 * Returns messages to the queue soon, because the share of their account or the time of a step was too short for them. Work in progress
 * continues, but no longer affects the outcome.
 */
function leaveOpen(open: Set<string>, { counts, failed, onWaiting }: Outcome, goesOn = false): void {
  counts.unreached += open.size;
  for (const id of open) {
    failed.push(id);
    onWaiting(id, goesOn);
  }
  open.clear();
}

/** @returns whether the deadline has passed; the messages are then received again */
function isTooLate(messages: readonly Pick<InboxMessage, 'id'>[], outcome: Outcome): boolean {
  if (Date.now() < outcome.deadline) return false;
  outcome.counts.unreached += messages.length;
  outcome.failed.push(...messages.map(({ id }) => id));
  return true;
}

function read(message: InboxMessage, outcome: Outcome): QueuedMessage[] {
  if (isTooLate([message], outcome)) return [];
  const { id, body, receives = 1 } = message;
  const content = readMessage(body);
  if (!('problems' in content)) return [{ id, receives, ...content }];
  refuse(id, content.problems, content.subject, outcome);
  return [];
}

/** Refuses a message. The reason names fields and rules, but no values, because values are personal data. */
function refuse(
  id: string,
  problems: readonly string[],
  subject: Subject | undefined,
  { counts, failed, refusals }: Outcome,
  refused?: Refused,
): void {
  const about = subject && loggedSubject(subject);
  // Your app handles a rejection automatically, so the message is done as soon as the outbox has the rejection.
  const isAnswered = refused?.rejection !== undefined && optional(env.recordsOutbox) !== undefined;
  log[isAnswered ? 'warn' : 'error']('a message was refused', {
    message_id: id,
    ...about,
    reason: joinProblems(problems),
  });
  counts.refused += 1;
  if (!isAnswered) failed.push(id);
  if (subject) refusals.push(refusalOf(id, subject, problems, refused));
}

/** Reports that a record was stored or deleted without the fields that could not be read. */
function noteLeftOut(
  { id, leftOut, ...subject }: Subject & Pick<QueuedMessage, 'id' | 'leftOut'>,
  { counts, refusals }: Outcome,
): void {
  log.warn('a record was stored without a field', {
    message_id: id,
    ...loggedSubject(subject),
    reason: joinProblems(leftOut),
  });
  counts.incomplete += 1;
  refusals.push({ ...refusalOf(id, subject, leftOut), stored: true });
}

const problemsMax = 20;

const refusalOf = (
  id: string,
  { account, resource, source_id, external_id, revision }: Subject,
  problems: readonly string[],
  { rejection, deletedAt, deletedId }: Partial<Refused> = {},
): Refusal => ({
  account,
  id,
  type: 'refusal',
  timestamp: new Date().toISOString(),
  resource,
  source_id,
  external_id,
  revision,
  reason: rejection ?? 'invalid',
  deleted_at: deletedAt ?? null,
  deleted_id: deletedId ?? null,
  problems: problems.slice(0, problemsMax),
  stored: false,
});

/** Reports refusals to your app, if the stage has an outbox. If a report could not be sent, its message is received again. */
async function reportRefusals({ refusals, failed }: Outcome): Promise<void> {
  if (refusals.length === 0) return;
  log.warn('records were refused, or stored without a field', counted('refusals', refusals.length));
  if (!optional(env.recordsOutbox)) return;
  const unsent = new Set(refusals.map(({ id }) => id));
  await sendMessages(refusals, (sent) => {
    for (const { id } of sent) unsent.delete(id);
  });
  failed.push(...[...unsent].filter((id) => !failed.includes(id)));
}

/**
 * Stores messages about one collection. If two messages are about one record, the second is stored after the first.
 * @param open the ids of the messages without a result yet; after it is emptied, no more work begins
 */
async function ingestGroup(
  group: readonly QueuedMessage[],
  outcome: Outcome,
  open: Set<string>,
): Promise<void> {
  let rest = group;
  while (open.size > 0) {
    if (isTooLate(rest, outcome)) return open.clear();
    const batch: QueuedMessage[] = [];
    const names = new Set<string>();
    const later: QueuedMessage[] = [];
    for (const message of rest) {
      const own = namesIn(message);
      if (own.some((name) => names.has(name)) || batch.length === entriesMax) later.push(message);
      else batch.push(message);
      // A message that shares a name with a waiting message also waits.
      for (const name of own) names.add(name);
    }
    await store(batch, outcome);
    for (const { id } of batch) open.delete(id);
    rest = later;
  }
}

/** Counts a result, and logs which fields were overwritten. The log is the only place that shows this. */
function note(
  { account, resource }: Subject,
  result: Exclude<StoreResult, { kind: 'refused' | 'waiting' }>,
  { counts, edits }: Outcome,
): void {
  counts[result.kind] += 1;
  if (!('record' in result)) return;
  const { id } = result.record;
  // The name of the account may be mistyped, and only this warning shows it.
  if (result.kind === 'created' && positionOf(collectionAt(resource).prefix, id) === 0)
    log.warn('an account has its first record of a resource', {
      account,
      resource,
      id,
      ...counted('first_records'),
    });
  const { kept = [], overwritten = [] } = result;
  edits.kept += kept.length;
  edits.overwritten += overwritten.length;
  if (overwritten.length > 0)
    log.warn('edits of clients were overwritten', {
      account,
      resource,
      id,
      fields: [...new Set(overwritten.map(wholeOf))],
    });
}

/** Stores a batch. If this fails for a reason that is not transient, it stores each message alone. */
async function store(batch: readonly QueuedMessage[], outcome: Outcome): Promise<void> {
  const { account, resource } = batch[0] as QueuedMessage;
  try {
    const results = await storeMessages(inAccount(collectionAt(resource), account), batch, {
      deadline: Date.now() + deletionMs,
      // A message that is received again is alone in its batch.
      waits: batch.some(({ deletion, receives }) => deletion && receives < waitsMax),
    });
    for (const [i, one] of batch.entries()) {
      const result = results[i] as StoreResult;
      if (result.kind === 'refused') refuse(one.id, [result.reason], one, outcome, result);
      else if (result.kind === 'waiting') {
        log.info('a merge waits for its other record', { message_id: one.id, account, resource });
        leaveOpen(new Set([one.id]), outcome);
      } else {
        note(one, result, outcome);
        if (result.kind !== 'outdated' && one.leftOut.length > 0) noteLeftOut(one, outcome);
      }
    }
  } catch (error) {
    if (batch.length > 1 && !isTransient(error)) {
      for (const one of batch) if (!isTooLate([one], outcome)) await store([one], outcome);
      return;
    }
    const ids = batch.map(({ id }) => id);
    if (error instanceof LinksLeft) return leaveOpen(new Set(ids), outcome, true);
    log.error('messages failed', { message_ids: ids, error: describeError(error) });
    outcome.counts.failed += ids.length;
    outcome.failed.push(...ids);
  }
}
