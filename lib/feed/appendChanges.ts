import { atMost } from '../concurrency.ts';
import { whileLeft } from '../dynamodb/conflicts.ts';
import { absent } from '../dynamodb/expressions.ts';
import { type Key, nameOf } from '../dynamodb/item.ts';
import { packTransaction } from '../dynamodb/packTransaction.ts';
import { readByKey, readItems } from '../dynamodb/tableHandle.ts';
import { index } from '../dynamodb/tables.ts';
import { type Action, transact } from '../dynamodb/transact.ts';
import { describeError, log } from '../logs/log.ts';
import { conflictMetrics, noteConflict } from '../logs/metrics.ts';
import type { Streamed } from '../records/streamed.ts';
import type { ResourceType } from '../resources/index.ts';
import { inVersionOrder, type PendingChange, pendingChangeOf } from './feedEntry.ts';
import {
  type FeedHead,
  feedHeadKey,
  fillsBlock,
  groupSize,
  headOf,
  lengthen,
  numberedKey,
  pageMax,
  summarizeBlock,
} from './feedItems.ts';

/** How long a call may take beyond the deadline, so that a batch does not wait for a call that hangs. */
const afterDeadlineMs = 3000;

/**
 * Numbers changes and appends them to the feeds of their accounts: each once, in the order of its record's versions. Accounts do not wait for
 * each other. Unlike for webhooks, no account has a shorter time limit, because a queue could deliver a later version first, and the stream
 * cannot skip a change.
 * @returns the sequence numbers of the changes that the stream must deliver again
 */
export async function appendChanges(changes: readonly Streamed[], deadline: number): Promise<string[]> {
  const feeds = [...Map.groupBy(changes, ({ account }) => account)].map(
    ([account, group]) => new AccountFeed(account, group),
  );
  await Promise.all(
    feeds.map(async (feed) => {
      const appending = feed.append(deadline).catch((error: unknown) => {
        log.error('changes were not numbered', { account: feed.account, error: describeError(error) });
      });
      await atMost(Math.max(0, deadline - Date.now()) + afterDeadlineMs, appending);
    }),
  );
  const failed = feeds.flatMap(({ left }) => left);
  log.info('changes numbered', {
    changes: changes.length,
    numbered: feeds.reduce((sum, { numbered }) => sum + numbered, 0),
    failed: failed.length,
    ...conflictMetrics(),
  });
  return failed.map(({ sequenceNumber }) => sequenceNumber);
}

/** The changes of one account until each has a number in the account's feed. */
class AccountFeed {
  readonly account: string;
  /** The changes that have no number yet. Those of each record are in the order of versions. */
  left: readonly PendingChange[];
  numbered = 0;

  constructor(account: string, changes: readonly Streamed[]) {
    this.account = account;
    this.left = inVersionOrder(changes.map(pendingChangeOf));
  }

  /**
   * Appends as many changes as time allows, and leaves the others in `left`. A numbered change does not get a second number.
   * @param until epoch milliseconds; conflicts and transient errors are retried until then
   */
  async append(until: number): Promise<void> {
    const isLeft = () => this.left.length > 0;
    await whileLeft(until, isLeft, async () => {
      const done = new Set(await this.appendPage(this.left.slice(0, pageMax)));
      this.left = this.left.filter((change) => !done.has(change));
      return done.size > 0;
    });
  }

  /** Appends some changes as one page. @returns the changes that have a number now; none after a conflict */
  private async appendPage(changes: readonly PendingChange[]): Promise<PendingChange[]> {
    const state = await readState(this.account, changes);
    const missing = withoutNumber(changes, state);
    const page = packPage(missing, state);
    if (page.length > 0 && !(await transact(append(this.account, page, state, new Date()))).committed) {
      noteConflict();
      return [];
    }
    this.numbered += page.length;
    const waiting = new Set(missing.slice(page.length));
    return changes.filter((change) => !waiting.has(change));
  }
}

/** The length of a feed and the numbered versions of some records, as they were read. They decide which changes are new. */
interface FeedState {
  head: FeedHead;
  groupOf(change: PendingChange): NumberedVersions;
}

async function readState(account: string, changes: readonly PendingChange[]): Promise<FeedState> {
  const keys = new Map(changes.map((change) => [groupName(change), keyOf(account, change)]));
  const itemAt = await readByKey(index, [feedHeadKey(account), ...keys.values()]);
  const groups = new Map([...keys].map(([name, key]) => [name, new NumberedVersions(key, itemAt(key))]));
  return {
    head: headOf(itemAt(feedHeadKey(account))),
    groupOf: (change) => groups.get(groupName(change)) as NumberedVersions,
  };
}

/** Returns the changes without a number, each once: those later than the numbered version of their record. */
function withoutNumber(changes: readonly PendingChange[], { groupOf }: FeedState): PendingChange[] {
  const highest = new Map<string, number>();
  return changes.filter((change) => {
    const { resource_id, version } = change.entry;
    if (version <= (highest.get(resource_id) ?? groupOf(change).versionOf(change.position))) return false;
    highest.set(resource_id, version);
    return true;
  });
}

/** Returns the changes of the next page: as many as one transaction can number. */
const packPage = (changes: readonly PendingChange[], { head }: FeedState): PendingChange[] =>
  packTransaction(changes, {
    actionsOf: () => 0,
    bytesOf: ({ entry }) => Buffer.byteLength(JSON.stringify(entry)),
    // The page, the head, and the summary of a block if the page completes it.
    commonActions: fillsBlock(head, changes.length) ? 3 : 2,
    sharedItemsOf: (change) => [groupName(change)],
  });

/** Returns the actions that append a page. All of them are refused if another append was faster. */
function append(
  account: string,
  page: readonly PendingChange[],
  { head, groupOf }: FeedState,
  now: Date,
): Action[] {
  for (const change of page) groupOf(change).note(change.entry.version, change.position);
  const entries = page.map(({ entry }) => entry);
  const { by, actions } = summarizeBlock(account, head, entries, now);
  return [
    ...lengthen(account, head, { page: entries, by, now }),
    ...actions,
    ...[...new Set(page.map(groupOf))].map((group) => group.store()),
  ];
}

const keyOf = (account: string, { entry, position }: PendingChange): Key =>
  numberedKey(account, entry.resource_type, position ?? entry.resource_id);

/** Names the item that stores a change's numbered version, among the items of one account. */
const groupName = (change: PendingChange): string => nameOf(keyOf('', change));

const versionBytes = 4;

/**
 * The highest numbered version of each of 128 records. It prevents a second number for a change that the stream repeats, and it never expires,
 * because the stream may repeat a change at any time.
 */
export class NumberedVersions {
  readonly key: Key;
  private readonly revision: number | undefined;
  private readonly versions: DataView;

  constructor(key: Key, item: Record<string, unknown> | undefined) {
    this.key = key;
    this.revision = item?.rev as number | undefined;
    const bytes = new Uint8Array(groupSize * versionBytes);
    bytes.set((item?.versions as Uint8Array | undefined) ?? []);
    this.versions = new DataView(bytes.buffer);
  }

  /** Returns the highest numbered version of the record at a position, or of a resource with its own item; 0 if none is numbered. */
  versionOf(position = 0): number {
    return this.versions.getUint32(offsetOf(position));
  }

  note(version: number, position = 0): void {
    this.versions.setUint32(offsetOf(position), version);
  }

  /** Returns the action that stores the versions. It is refused if another append for one of these records was faster. */
  store(): Action {
    const rev = this.revision;
    return index.update(
      this.key,
      { versions: new Uint8Array(this.versions.buffer), rev: (rev ?? 0) + 1 },
      { if: rev === undefined ? { pk: absent } : { rev } },
    );
  }
}

/** Reads the highest version of a record that has a number; 0 if none has. */
export async function readNumberedVersion(
  account: string,
  type: ResourceType,
  position: number,
): Promise<number> {
  const key = numberedKey(account, type, position);
  const [item] = await readItems(index, [key]);
  return new NumberedVersions(key, item).versionOf(position);
}

const offsetOf = (position: number): number => (position % groupSize) * versionBytes;
