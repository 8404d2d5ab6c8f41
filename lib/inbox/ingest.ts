import { atMost } from '../concurrency.ts';
import type { Refusal } from '../contract/outbox.ts';
import { isTransient } from '../dynamodb/conflicts.ts';
import { env, optional } from '../env.ts';
import { joinProblems } from '../errors/apiError.ts';
import { describeError, log } from '../logs/log.ts';
import { conflictMetrics, counts as counted, editsMet } from '../logs/metrics.ts';
import { sendMessages } from '../outbox/sendMessages.ts';
import { wholeOf } from '../records/edits.ts';
import { inAccount } from '../records/keys.ts';
import { positionOf } from '../records/position.ts';
import type { Refused } from '../records/refusals.ts';
import { entriesMax } from '../records/upsert/upsert.ts';
import { loggedSubject, namesIn, type ReadMessage, readMessage, type Subject } from './message.ts';
import { collectionAt } from './resources.ts';
import { LinksLeft, type StoreResult, storeMessages } from './storeMessages.ts';

export interface InboxMessage {
  id: string;
  body: string;
  /** How often it has been received, this time included; without it, once. */
  receives?: number;
}

type QueuedMessage = ReadMessage & { id: string; receives: number };

/** The number of receives after which a deletion no longer waits for the record into which it merges. */
const waitsMax = 4;

/** Longer than others are at the same items. */
const deletionMs = 10_000;

/** How long the messages of one account and resource may hold up those of others in their batch, in milliseconds. */
const shareMs = 2000;

/** The time that a started batch may take, in milliseconds: the function reserves it. */
export const ingestReserveMs = 20_000;

/** The results of messages. Failed messages are received again, and become dead letters after too many receives. */
interface Outcome {
  counts: Record<Exclude<StoreResult['kind'], 'waiting'> | 'incomplete' | 'failed' | 'unreached', number>;
  failed: string[];
  refusals: Refusal[];
  edits: { kept: number; overwritten: number };
  deadline: number;
  onWaiting: OnWaiting;
}

/** @param goesOn whether a turn of the message has ended, and the next one can begin */
type OnWaiting = (id: string, goesOn?: boolean) => void;

/**
 * Stores what messages say of records. A message that cannot be stored fails alone. To store a message again changes nothing, so
 * a queue may deliver it twice, or late.
 * @param deadline epoch milliseconds after which no more work begins: messages that were not reached are received again
 * @param onWaiting is called with the id of each message that waits for another one, or for its next turn
 * @returns the ids of the messages that have to be received again
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
  // The first one has the conflicts, too.
  log.info('ingested', { messages: messages.length, ...counts, ...editsMet(edits), ...conflictMetrics() });
  return outcome.failed;
}

/**
 * Lets messages come again soon that the share of their account, or a turn, was not enough for. What is under way goes on, and changes
 * nothing then.
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

/** The reason names fields and rules, and no values: those are personal data. */
function refuse(
  id: string,
  problems: readonly string[],
  subject: Subject | undefined,
  { counts, failed, refusals }: Outcome,
  refused?: Refused,
): void {
  const about = subject && loggedSubject(subject);
  // Your app answers a rejection without people, so the message is done when the outbox has it.
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

/** A record was stored, or deleted, without what cannot be read of the message. */
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

/** Reports refusals to your app, if the stage has an outbox. A message whose report could not be sent is received again. */
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
 * Stores messages about one collection. Of two about one record, the second is stored after the first.
 * @param open the ids of those that have no result yet; when it is emptied, no more work begins
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
      // One that comes after one that waits waits, too.
      for (const name of own) names.add(name);
    }
    await store(batch, outcome);
    for (const { id } of batch) open.delete(id);
    rest = later;
  }
}

/** Counts a result. Which fields are overwritten is logged: nobody else tells the client. */
function note(
  { account, resource }: Subject,
  result: Exclude<StoreResult, { kind: 'refused' | 'waiting' }>,
  { counts, edits }: Outcome,
): void {
  counts[result.kind] += 1;
  if (!('record' in result)) return;
  const { id } = result.record;
  // The name of the account may be mistyped: nobody else would notice.
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

/** Stores a batch. When that fails for a reason that is not transient, it stores each message alone. */
async function store(batch: readonly QueuedMessage[], outcome: Outcome): Promise<void> {
  const { account, resource } = batch[0] as QueuedMessage;
  try {
    const results = await storeMessages(inAccount(collectionAt(resource), account), batch, {
      deadline: Date.now() + deletionMs,
      // A message that comes again is alone.
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
