import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { SQSRecord } from 'aws-lambda';
import { atMost } from '../concurrency.ts';
import { BusyError, pause } from '../dynamodb/conflicts.ts';
import { describeError, log } from '../logs/log.ts';
import type { StreamedChange } from '../records/change.ts';
import { deferChanges, workOnDeferred } from '../records/deferChanges.ts';
import type { CollectionRef } from '../records/recordKeys.ts';
import { isOfRecord, readChanges, type Streamed } from '../records/streamed.ts';
import { collectionOf } from '../resources/collections.ts';
import { noteFilters } from './completeFilters.ts';
import { deferredIndex } from './deferredIndex.ts';
import { changeEntries, differingEntries, type IndexEntry } from './indexEntries.ts';
import { countPositions, maintain, type NamedItem, namedItem } from './maintain.ts';
import { collectionSource } from './readRecords.ts';
import { noteIfLate } from './updatedTimes.ts';

/**
 * How many items one collection may write in a batch: four calls, however many changes it has, because all accounts wait for the batch. A
 * contact with fifty unique tags has 52 items. A batch of an import or of the inbox contains a hundred contacts, each with the items of its
 * e-mail address and its phone number.
 */
const itemsMax = 100;

/** How long these writes may be retried after conflicts or while the database is busy. */
const budgetMs = 100;

/** How long a call may take beyond that, and how long the queue may take. The batch does not wait for a call that hangs. */
const callMs = 3000;

/** The longest pause before changes that the queue did not accept are sent again. */
const retryPauseMs = 500;

export const indexAfterDeadlineMs = budgetMs + 2 * callMs + retryPauseMs;

/**
 * How many items of deferred changes an invocation writes in a second. Two invocations run at once, so they use 1,000 write units a second, and
 * leave the rest of the table to all other writers. A new table has 4,000.
 */
const itemsPerSecond = 500;

/** The changes that a batch did not finish, by their sequence numbers. */
interface UnindexedChanges {
  /** The stream must deliver these changes again. */
  failed: string[];
  deferred: string[];
}

/**
 * Updates the index after changes of records, and skips system events. A change only names items: those that the record left, and those that it
 * entered. So changes may arrive twice, late and in any order. Changes with more items than the budget of their account go to the queue of
 * deferred changes.
 * @param deadline epoch milliseconds; changes that the queue does not accept are sent again until then
 */
export async function indexChanges(
  changes: readonly Streamed[],
  deadline: number,
): Promise<UnindexedChanges> {
  const batches = batchesOf(changes);
  const failed = await Promise.all(batches.map((batch) => batch.work(deadline)));
  return {
    failed: sequenceNumbersOf(failed.flat()),
    deferred: sequenceNumbersOf(batches.flatMap((batch) => [...batch.deferred])),
  };
}

/**
 * Writes the items of deferred changes.
 * @param deadline epoch milliseconds; conflicts and transient errors are retried until then
 * @returns the ids of the messages that failed
 */
export const indexDeferred = (messages: readonly SQSRecord[], deadline: number): Promise<string[]> =>
  workOnDeferred(deferredIndex, messages, async (_, records) => {
    const startedAt = Date.now();
    const left = new Set(records);
    let items = 0;
    for (const batch of batchesOf(readChanges(records).changes)) {
      const late = new Set(await batch.catchUp(deadline));
      for (const change of batch.changes) if (!late.has(change)) left.delete(change.record);
      items += batch.items.size;
    }
    if (left.size === records.length) throw new BusyError('The items were not written in time');
    await sleep(Math.max(0, startedAt + (1000 * items) / itemsPerSecond - Date.now()));
    return { left: [...left], counts: { items } };
  });

const batchesOf = (changes: readonly Streamed[]): CollectionBatch[] => {
  const groups = Map.groupBy(changes.filter(isOfRecord), ({ account, type }) => `${account}#${type}`);
  return [...groups.values()].map((group) => new CollectionBatch(group));
};

const sequenceNumbersOf = (changes: readonly StreamedChange[]): string[] =>
  changes.map(({ sequenceNumber }) => sequenceNumber);

class CollectionBatch {
  readonly changes: readonly StreamedChange[];
  readonly deferred = new Set<StreamedChange>();
  items: ReadonlyMap<NamedItem, ReadonlySet<StreamedChange>> = new Map();
  private readonly ref: CollectionRef;

  constructor(changes: readonly StreamedChange[]) {
    const [{ account, type }] = changes as [StreamedChange, ...StreamedChange[]];
    this.changes = changes;
    this.ref = { account, type };
  }

  /** @returns the changes that are neither in the index at the deadline nor in the queue */
  async work(deadline: number): Promise<readonly StreamedChange[]> {
    const { ref, changes } = this;
    try {
      await this.nameItems();
      const [left] = await Promise.all([
        this.write(deadline),
        noteFilters(
          ref,
          collectionOf(ref.type).filters,
          changes.some(({ position }) => position === 0),
        ),
      ]);
      return left;
    } catch (error) {
      log.error('changes were not indexed', { account: ref.account, error: describeError(error) });
      return changes;
    }
  }

  /**
   * Writes all items, one call at a time, because nobody waits for them.
   * @returns the changes that are not in the index at the deadline
   * @throws Error of an item; if there is only one change, all its other items have been written
   */
  async catchUp(deadline: number): Promise<StreamedChange[]> {
    await this.nameItems();
    const source = { ...this.source, batchesAtOnce: 1 };
    try {
      return this.changesOf(await maintain(source, [...this.items.keys()], deadline));
    } catch (error) {
      if (this.changes.length === 1)
        for (const item of this.items.keys()) await maintain(source, [item], deadline).catch(() => {});
      throw error;
    }
  }

  private get source() {
    return collectionSource(this.ref);
  }

  private async nameItems(): Promise<void> {
    const [first = ''] = this.changes.map(({ after }) => after.updated_at).sort();
    await noteIfLate(this.ref, first);
    this.items = await namedItems(this.changes);
  }

  private async write(deadline: number): Promise<StreamedChange[]> {
    // Items of many records come first, because they cost the least per record.
    let left = [...this.items.keys()].sort((a, b) => countPositions([b]) - countPositions([a]));
    for (;;) {
      const beyond = left.slice(itemsMax);
      const [late] = await Promise.all([this.maintain(left.slice(0, itemsMax)), this.defer(beyond)]);
      await this.defer(late);
      left = [...late, ...beyond].filter((item) => this.changesOf([item]).length > 0);
      if (left.length === 0 || Date.now() > deadline) return this.changesOf(left);
      await pause(retryPauseMs);
    }
  }

  private async maintain(items: NamedItem[]): Promise<NamedItem[]> {
    const maintained = maintain(this.source, items, Date.now() + budgetMs);
    return (await atMost(budgetMs + callMs, maintained)) ?? items;
  }

  private async defer(items: readonly NamedItem[]): Promise<void> {
    const records = this.changesOf(items).map(({ record }) => record);
    if (records.length === 0) return;
    const taken = new Set(await atMost(callMs, deferChanges(deferredIndex, records)));
    for (const change of this.changes) if (taken.has(change.record)) this.deferred.add(change);
  }

  /** Returns the changes that name items, without those that are deferred. */
  private changesOf(items: readonly NamedItem[]): StreamedChange[] {
    const naming = new Set(items.flatMap((item) => [...(this.items.get(item) ?? [])]));
    return [...naming].filter((change) => !this.deferred.has(change));
  }
}

/** A contact names up to 104 items, each by a hash. After this many changes, other work of the process gets a turn. */
const changesPerTurn = 10;

/** Returns the items that changes of one collection name, each with its changes. */
async function namedItems(
  changes: readonly StreamedChange[],
): Promise<Map<NamedItem, ReadonlySet<StreamedChange>>> {
  const items = new Map<string, NamedItem>();
  const namedBy = new Map<NamedItem, Set<StreamedChange>>();
  const itemOf = ({ key, ms }: IndexEntry, change: StreamedChange): NamedItem => {
    const item = namedItem(items, key, ms !== undefined);
    namedBy.set(item, (namedBy.get(item) ?? new Set()).add(change));
    return item;
  };
  for (const [i, change] of changes.entries()) {
    const { account, type, before, after, deletion, position } = change;
    if (i > 0 && i % changesPerTurn === 0) await setImmediate();
    for (const entry of differingEntries({ account, type }, position, {
      before,
      after: deletion ? undefined : after,
    }))
      itemOf(entry, change).toEvaluate.add(position);
    for (const entry of deletion ? [] : changeEntries({ account, type }, position, after)) {
      const { added } = itemOf(entry, change);
      if ((added.get(position) ?? -1) < (entry.ms ?? 0)) added.set(position, entry.ms);
    }
  }
  return namedBy;
}
