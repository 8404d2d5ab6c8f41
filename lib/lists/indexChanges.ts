import { atMost } from '../concurrency.ts';
import { pause } from '../dynamodb/conflicts.ts';
import { describeError, log } from '../logs/log.ts';
import type { StreamedChange } from '../records/change.ts';
import type { CollectionRef } from '../records/keys.ts';
import { isOfRecord, type Streamed } from '../records/streamed.ts';
import { collectionOf } from '../resources/collections.ts';
import { noteCollection } from './collectionNotes.ts';
import { collectionSource } from './currentRecords.ts';
import { deferItems } from './deferred/deferItems.ts';
import { maintain, type NamedItem } from './maintain.ts';
import { namedItems } from './namedItems.ts';
import { markCreated, noteIfLate } from './times.ts';

/**
 * How many items a collection may write in a batch, because all accounts wait for the batch: four calls, however many changes it has.
 * A contact with fifty tags of its own has 52 items. A batch of an import or of the inbox has a hundred contacts, each with the items
 * of its e-mail address and its phone number.
 */
const itemsMax = 100;

/** How long these may be tried again, because of conflicts or a busy database. */
const budgetMs = 100;

/** How long a call may take beyond that, and how long the queue may take. The batch does not wait for a call that hangs. */
const callMs = 3000;

/** The longest pause before items are tried again that the queue did not accept. */
const retryPauseMs = 500;

/** How long an invocation may take after its deadline. */
export const afterDeadlineMs = budgetMs + 2 * callMs + retryPauseMs;

/** What a batch has left undone, by the sequence numbers of changes. */
export interface IndexedChanges {
  /** The stream has to hand these over again. */
  failed: string[];
  /** Some of their items are in the queue. */
  deferred: string[];
}

/**
 * Brings the index up to date with changes of records. Notices are passed over. A change only names items: those that the record left, and those that it
 * came into. So changes may be told twice, late and in any order, and items may be written later: what is over the budget of an
 * account goes to the queue of deferred items.
 * @param deadline epoch milliseconds; items that the queue does not accept are tried again until then
 */
export async function indexChanges(changes: readonly Streamed[], deadline: number): Promise<IndexedChanges> {
  const groups = Map.groupBy(changes.filter(isOfRecord), ({ account, type }) => `${account}#${type}`);
  const batches = [...groups.values()].map((group) => new CollectionBatch(group));
  const failed = await Promise.all(batches.map((batch) => batch.work(deadline)));
  return {
    failed: failed.flat(),
    deferred: [...new Set(batches.flatMap((batch) => [...batch.deferred]))],
  };
}

/** The changes of one collection in a batch. */
class CollectionBatch {
  readonly deferred = new Set<string>();
  private readonly changes: readonly StreamedChange[];
  private readonly ref: CollectionRef;
  private items: ReadonlyMap<NamedItem, ReadonlySet<string>> = new Map();

  constructor(changes: readonly StreamedChange[]) {
    const [{ account, type }] = changes as [StreamedChange, ...StreamedChange[]];
    this.changes = changes;
    this.ref = { account, type };
  }

  /** @returns the sequence numbers of the changes that are neither in the index at the deadline, nor in the queue */
  async work(deadline: number): Promise<string[]> {
    const { ref, changes } = this;
    try {
      await noteIfLate(ref, this.first());
      this.items = await namedItems(changes);
      const [left] = await Promise.all([
        this.write(deadline),
        markCreated(ref, changes),
        ...(changes.some(({ position }) => position === 0) ? [noteCollection(ref)] : []),
      ]);
      return this.namesOf(left);
    } catch (error) {
      log.error('changes were not indexed', { account: ref.account, error: describeError(error) });
      return changes.map(({ sequenceNumber }) => sequenceNumber);
    }
  }

  /** @returns the items that are neither written nor in the queue */
  private async write(deadline: number): Promise<NamedItem[]> {
    // Those of many records first: they cost the least for each.
    let left = [...this.items.keys()].sort((a, b) => positionsOf(b) - positionsOf(a));
    for (;;) {
      const [late, refused] = await Promise.all([
        this.maintain(left.slice(0, itemsMax)),
        this.defer(left.slice(itemsMax)),
      ]);
      left = [...(await this.defer(late)), ...refused];
      if (left.length === 0 || Date.now() > deadline) return left;
      await pause(retryPauseMs);
    }
  }

  /** @returns the items that are not up to date */
  private async maintain(items: NamedItem[]): Promise<NamedItem[]> {
    const source = collectionSource(collectionOf(this.ref.type), this.ref.account);
    return (await atMost(budgetMs + callMs, maintain(source, items, Date.now() + budgetMs))) ?? items;
  }

  /** @returns the items that the queue did not accept */
  private async defer(items: NamedItem[]): Promise<NamedItem[]> {
    if (items.length === 0) return [];
    const since = this.first();
    const refused = (await atMost(callMs, deferItems({ ...this.ref, since, items }))) ?? items;
    const isRefused = new Set(refused);
    for (const name of this.namesOf(items.filter((item) => !isRefused.has(item)))) this.deferred.add(name);
    return refused;
  }

  /** The time of the first change. */
  private first(): string {
    const times = this.changes.map(({ after }) => after.updated_at);
    return times.reduce((first, time) => (time < first ? time : first));
  }

  /** The sequence numbers of the changes that name items. */
  private namesOf(items: readonly NamedItem[]): string[] {
    return [...new Set(items.flatMap((item) => [...(this.items.get(item) ?? [])]))];
  }
}

const positionsOf = ({ evaluated, added }: NamedItem): number => evaluated.size + added.size;
