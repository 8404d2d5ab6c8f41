import { isPassing } from '../dynamodb/conflicts.ts';
import { describeError, log } from '../log.ts';
import { onlyConflicts } from '../metrics.ts';
import type { Stored } from '../records/collection.ts';
import { entriesMax, type UpsertResult, upsertMany } from '../records/upsert.ts';
import { readMessage, type Statement } from './message.ts';
import { collectionOf } from './resources.ts';

/** A message of the records inbox. */
export interface Message {
  id: string;
  body: string;
}

type Stated = Statement & { id: string };

/** A batch that is begun is stored within this time, in milliseconds: what the function keeps back of its own. */
export const ingestReserveMs = 20_000;

/** What became of messages. Those that failed come again, and end among the dead letters when that does not help. */
interface Outcome {
  counts: Record<UpsertResult<Stored>['kind'] | 'failed' | 'unreached', number>;
  failed: string[];
  /** Epoch milliseconds. */
  deadline: number;
}

/**
 * Stores what messages state. One that cannot be stored fails alone; taking one in again changes nothing, so a queue that
 * delivers it twice, or too late, does no harm.
 * @param deadline epoch milliseconds after which nothing more is begun: what was not reached comes again
 * @returns the ids of the messages that have to come again
 */
export async function ingest(messages: readonly Message[], deadline: number): Promise<string[]> {
  const outcome: Outcome = {
    counts: { created: 0, updated: 0, unchanged: 0, outdated: 0, refused: 0, failed: 0, unreached: 0 },
    failed: [],
    deadline,
  };
  const stated = messages.flatMap((message) => read(message, outcome));
  const groups = Map.groupBy(stated, ({ account, resource }) => `${account}/${resource}`);
  await Promise.all([...groups.values()].map((group) => ingestGroup(group, outcome)));
  log.info('ingested', { messages: messages.length, ...outcome.counts, ...onlyConflicts() });
  return outcome.failed;
}

/** @returns whether there is no time for them any more; they come again then */
function isTooLate(messages: readonly Pick<Message, 'id'>[], outcome: Outcome): boolean {
  if (Date.now() < outcome.deadline) return false;
  outcome.counts.unreached += messages.length;
  outcome.failed.push(...messages.map(({ id }) => id));
  return true;
}

function read(message: Message, outcome: Outcome): Stated[] {
  if (isTooLate([message], outcome)) return [];
  const { id, body } = message;
  const statement = readMessage(body);
  if (!('problem' in statement)) return [{ id, ...statement }];
  refuse(id, statement.problem, outcome);
  return [];
}

/** The reason names fields and rules, and nothing of the values: they are data of people. */
function refuse(id: string, reason: string, { counts, failed }: Outcome): void {
  log.error('a message was refused', { message_id: id, reason });
  counts.refused += 1;
  failed.push(id);
}

/** Statements about one collection: of two about one record the later has to find what the earlier made. */
async function ingestGroup(group: readonly Stated[], outcome: Outcome): Promise<void> {
  let rest = group;
  while (rest.length > 0 && !isTooLate(rest, outcome)) {
    const batch = new Map<string, Stated>();
    const later: Stated[] = [];
    for (const stated of rest) {
      const { external_id } = stated.entry.content;
      if (batch.has(external_id) || batch.size === entriesMax) later.push(stated);
      else batch.set(external_id, stated);
    }
    await store([...batch.values()], outcome);
    rest = later;
  }
}

/** Stores a batch; when it cannot be stored as a whole for a reason that will not pass, each of it alone. */
async function store(batch: readonly Stated[], outcome: Outcome): Promise<void> {
  const { account, resource } = batch[0] as Stated;
  try {
    const results = await upsertMany(
      collectionOf(resource),
      account,
      batch.map(({ entry }) => entry),
    );
    for (const [i, { id }] of batch.entries()) {
      const result = results[i] as UpsertResult<Stored>;
      if (result.kind === 'refused') refuse(id, result.reason, outcome);
      else outcome.counts[result.kind] += 1;
    }
  } catch (error) {
    if (batch.length > 1 && !isPassing(error)) {
      for (const one of batch) if (!isTooLate([one], outcome)) await store([one], outcome);
      return;
    }
    const ids = batch.map(({ id }) => id);
    log.error('messages failed', { message_ids: ids, error: describeError(error) });
    outcome.counts.failed += ids.length;
    outcome.failed.push(...ids);
  }
}
