import { packTransaction } from '../dynamodb/packTransaction.ts';
import { readItems } from '../dynamodb/tableHandle.ts';
import { index } from '../dynamodb/tables.ts';
import type { Action } from '../dynamodb/transact.ts';
import type { ResourceType } from '../resources/index.ts';
import { type Head, headOf, lengthen } from './head.ts';
import { changeDays, expiryOf } from './kept.ts';
import { headKey, numberedKey, numberedNoticeKey } from './keys.ts';
import { NumberedVersions } from './numberedVersions.ts';
import type { PendingChange } from './pendingChange.ts';
import { fillsBlock, summarize } from './summary.ts';

/** The length of a feed and the numbered versions of some records, as they were read. They decide which changes are new. */
export class FeedState {
  private readonly account: string;
  private readonly head: Head;
  private readonly groups: ReadonlyMap<string, NumberedVersions>;

  private constructor(account: string, head: Head, groups: ReadonlyMap<string, NumberedVersions>) {
    this.account = account;
    this.head = head;
    this.groups = groups;
  }

  static async read(account: string, changes: readonly PendingChange[]): Promise<FeedState> {
    const keys = new Map(changes.map((change) => [groupName(change), keyOf(account, change)]));
    const items = await readItems(index, [headKey(account), ...keys.values()]);
    const found = new Map(items.map((item) => [nameOf(item as Key), item]));
    const groups = [...keys].map(
      ([name, key]) => [name, new NumberedVersions(key, found.get(nameOf(key)))] as const,
    );
    return new FeedState(account, headOf(found.get(nameOf(headKey(account)))), new Map(groups));
  }

  /** The changes without a number: those later than the numbered version of their record, each once. */
  withoutNumber(changes: readonly PendingChange[]): PendingChange[] {
    const highest = new Map<string, number>();
    return changes.filter((change) => {
      const { resource_id, version } = change.entry;
      if (version <= (highest.get(resource_id) ?? this.groupOf(change).versionOf(change.position)))
        return false;
      highest.set(resource_id, version);
      return true;
    });
  }

  /** The changes of the next page: as many as one transaction can number. */
  pack(changes: readonly PendingChange[]): PendingChange[] {
    return packTransaction(changes, {
      actionsOf: () => 0,
      bytesOf: ({ entry }) => Buffer.byteLength(JSON.stringify(entry)),
      // The page and the head, and the summary of a block that becomes full.
      commonActions: fillsBlock(this.head, changes.length) ? 3 : 2,
      sharedItemsOf: (change) => [groupName(change)],
    });
  }

  /** The actions that append a page, or nothing: all are refused when another append was faster. */
  append(page: readonly PendingChange[], now: Date): Action[] {
    const groups = new Set(page.map((change) => this.groupOf(change)));
    for (const change of page) this.groupOf(change).note(change.entry.version, change.position);
    const entries = page.map(({ entry }) => entry);
    const { by, actions } = summarize(this.account, this.head, entries, now);
    const ttl = expiryOf(now, changeDays);
    return [
      ...lengthen(this.account, this.head, { page: entries, by, ttl, now }),
      ...actions,
      ...[...groups].map((group) => group.store()),
    ];
  }

  private groupOf(change: PendingChange): NumberedVersions {
    return this.groups.get(groupName(change)) as NumberedVersions;
  }
}

type Key = Record<'pk' | 'sk', string>;

const keyOf = (account: string, { entry, position }: PendingChange): Key =>
  position === undefined
    ? numberedNoticeKey(account, entry.resource_type, entry.resource_id)
    : numberedKey(account, entry.resource_type as ResourceType, position);

const nameOf = ({ pk, sk }: Key): string => `${pk}/${sk}`;

/** Names the item with a change's numbered version among those of one account. */
const groupName = (change: PendingChange): string => nameOf(keyOf('', change));
