import { isDeepStrictEqual } from 'node:util';
import { plus } from '../../../lib/dynamodb/expressions.ts';
import type { Item } from '../../../lib/dynamodb/item.ts';
import { records } from '../../../lib/dynamodb/tables.ts';
import type { Action } from '../../../lib/dynamodb/transact.ts';
import { readNumberedVersion } from '../../../lib/feed/appendChanges.ts';
import { readCount } from '../../../lib/records/counter.ts';
import {
  countDeleted,
  noteDeletions,
  readChunk,
  readDeleted,
} from '../../../lib/records/deletion/deletedSet.ts';
import { edited, laterEdits } from '../../../lib/records/edits.ts';
import { positionOf } from '../../../lib/records/position.ts';
import { editAttributes, editsOf, isDeleted } from '../../../lib/records/recordItem.ts';
import { type CollectionRef, counterKey, pointerKey } from '../../../lib/records/recordKeys.ts';
import { byOperator } from '../../../lib/records/recordOrigin.ts';
import type { Collection, Stored } from '../../../lib/resources/collection.ts';
import { collectionOf } from '../../../lib/resources/collections.ts';
import { isResource, resources } from '../../../lib/resources/index.ts';
import {
  number,
  type Plan,
  planUnlessThere,
  type Restoration,
  type Restorer,
  unchanged,
} from './restoration.ts';

/** The collection that an item of the Records table belongs to. */
interface ItemCollection {
  ref: CollectionRef;
  collection: Collection<Stored>;
}

/**
 * Brings back records. A record that was last changed before `changedBefore` gets the state of the restored table, as a new version. Records
 * that were changed or created later stay. Positions never shift, and no collection gets shorter.
 */
export class RecordsRestorer implements Restorer {
  readonly kindOf = kindOfRecordsItem;
  /** The counter comes first, so that no record is created at a position that is about to come back. */
  readonly early = 'counter';
  private readonly restoration: Restoration;
  private readonly counts = new Map<string, Promise<number>>();

  constructor(restoration: Restoration) {
    this.restoration = restoration;
  }

  async plan(kind: string, restored: Item, living: Item | undefined): Promise<Plan> {
    if (kind === 'counter') return this.planCounter(restored, living);
    if (kind === 'record') return this.planRecord(restored, living);
    if (kind === 'source_id') return this.planSource(restored, living);
    return planUnlessThere(records, restored, living);
  }

  /** The product's own id of a record belongs to it forever, even after its deletion. */
  private async planSource(restored: Item, living: Item | undefined): Promise<Plan> {
    const { ref, collection } = itemCollectionOf(restored) as ItemCollection;
    const position = positionOf(collection.prefix, String(restored.id));
    // If the counter does not include the position, the restored table contains only a part of this create.
    const isCounted = position !== undefined && (await this.isCounted(ref, position));
    if (!living && !isCounted && restored.id !== undefined && restored.deleted_at === undefined)
      return 'passed_over';
    return planUnlessThere(records, restored, living);
  }

  private async planCounter(restored: Item, living: Item | undefined): Promise<Plan> {
    const count = number(restored.count);
    if (number(living?.count) >= count) return number(living?.count) === count ? 'same' : 'kept';
    const { ref } = itemCollectionOf(restored) as ItemCollection;
    const { at } = restored;
    // A lost counter starts with the members of the existing set. Each tombstone that comes back counts itself.
    const deleted = living ? 0 : (await readDeleted(ref, count, { consistent: true })).size;
    const changes = {
      count,
      ...(at === undefined ? {} : { at }),
      ...(deleted === 0 ? {} : { has_deleted: true }),
    };
    return {
      actions: [
        records.update(counterKey(ref), changes, { if: unchanged(living, ['count']) }),
        ...(deleted === 0 ? [] : [countDeleted(ref, deleted)]),
      ],
    };
  }

  private async planRecord(restored: Item, living: Item | undefined): Promise<Plan> {
    const itemCollection = itemCollectionOf(restored) as ItemCollection;
    const { ref, collection } = itemCollection;
    const position = Number(restored.sk);
    await this.restoration.ensure(counterKey(ref));
    // If the counter does not include the position, the restored table contains only a part of this create.
    if (!living && !(await this.isCounted(ref, position))) return 'passed_over';
    const { id } = living ?? {};
    if (id !== restored.id && typeof id === 'string' && positionOf(collection.prefix, id) === position)
      return {
        stays: `the record ${restored.id} is not brought back: ${id} has been created at its position since`,
      };
    const deletion = await planDeleted(ref, restored, living);
    if (deletion) return deletion;
    if (living && isSame(collection, restored, living)) return 'same';
    if (living && this.isNewer(living)) return 'kept';
    const pointers = await this.externalIdActions(itemCollection, restored, living);
    if (pointers) return { actions: [await putRecord(itemCollection, restored, living), ...pointers] };
    const reason = `the record ${restored.id} does not get its external id back: another record has it since`;
    if (living) return { stays: reason };
    // A position must not stay empty.
    const { external_id: _, ...rest } = restored;
    return { actions: [await putRecord(itemCollection, rest, undefined)], but: reason };
  }

  /**
   * Returns the actions that give a record its external id again, and free its current one.
   * @returns undefined if the external id belongs to another record
   */
  private async externalIdActions(
    itemCollection: ItemCollection,
    restored: Item,
    living: Item | undefined,
  ): Promise<Action[] | undefined> {
    const [wanted, has] = [externalIdOf(restored), externalIdOf(living)];
    const actions: Action[] = [];
    if (wanted !== null) {
      const key = pointerKey(itemCollection.ref, wanted);
      const pointer = await this.restoration.living(key);
      if (pointer && pointer.id !== restored.id) return undefined;
      if (!pointer) actions.push(records.put({ ...key, id: restored.id }, { if: unchanged(undefined) }));
    }
    if (has !== null && has !== wanted) {
      const key = pointerKey(itemCollection.ref, has);
      const pointer = await this.restoration.living(key);
      if (pointer?.id === restored.id) actions.push(records.delete(key, { if: unchanged(pointer, ['id']) }));
    }
    return actions;
  }

  private async isCounted(ref: CollectionRef, position: number): Promise<boolean> {
    return position < (await this.countBefore(ref)) || position < (await readCount(ref));
  }

  /** The length of a collection in the restored table. */
  private countBefore(ref: CollectionRef): Promise<number> {
    const { pk } = counterKey(ref);
    const count =
      this.counts.get(pk) ??
      this.restoration.restored(counterKey(ref)).then((counter) => number(counter?.count));
    this.counts.set(pk, count);
    return count;
  }

  private isNewer(living: Item): boolean {
    const { changedBefore } = this.restoration.job;
    return isDeleted(living) || (typeof living.updated_at === 'string' && living.updated_at >= changedBefore);
  }
}

const externalIdOf = (item: Item | undefined): string | null =>
  (item?.external_id as string | undefined) ?? null;

/** Returns the collection of an item; undefined if it has none, such as a stored response. */
function itemCollectionOf({ pk }: Item): ItemCollection | undefined {
  const [account = '', type = ''] = String(pk).split('#');
  const collection = isResource(type) ? collectionOf(type) : undefined;
  return collection && { ref: { account, type: collection.type }, collection };
}

/**
 * Returns the kind of an item that comes back by itself. Other items do not: the requests of stored responses and of pending creates have long
 * had their response, the stream has delivered a notice to its readers, an external id comes back with its record, and a tombstone with its
 * place in the set of deleted positions.
 */
function kindOfRecordsItem(item: Item): string | undefined {
  const [, , part] = String(item.pk).split('#');
  if (itemCollectionOf(item) === undefined) return undefined;
  if (part === undefined) return item.sk === 'counter' ? 'counter' : undefined;
  if (/^\d+$/.test(part)) return 'record';
  if (part === 'source') return item.sk === 'pointer' ? 'source_id' : 'contact_note';
  return undefined;
}

/**
 * Plans a deleted record, which stays deleted. A lost tombstone comes back, even that of a record deleted after the backup, if the set of
 * deleted positions contains it.
 * @returns undefined for a record that is not deleted
 */
async function planDeleted(
  ref: CollectionRef,
  restored: Item,
  living: Item | undefined,
): Promise<Plan | undefined> {
  const isOf = isDeleted(living ?? restored);
  if (living && !isOf) return undefined;
  const chunk = await readChunk(ref, Number(restored.sk));
  if (!isOf && !chunk.has) return undefined;
  if (living && chunk.has) return isDeleted(restored) ? 'same' : 'kept';
  const { pk, sk, id, created_at } = restored;
  const at = new Date().toISOString();
  const version = living ? 0 : 1 + (await lastNumberedVersion(ref, restored));
  const tombstone = isDeleted(restored)
    ? restored
    : { pk, sk, id, version, created_at, updated_at: at, deleted_at: at, origin: byOperator };
  return {
    actions: [
      ...(living ? [] : [records.put(tombstone, { if: unchanged(undefined) })]),
      ...(chunk.has ? [] : [noteDeletions(ref), chunk.add, countDeleted(ref, plus(1))]),
    ],
  };
}

/** The attributes that differ in every version. */
const noted = ['version', 'updated_at'];

/** Returns what clients see of an item, without its version. A corrupt item may have any shape. */
function contentOf({ layout, blank }: Collection<Stored>, item: Item): Item {
  const shown: Item = { ...blank, ...item };
  const names = Object.keys(layout).filter((name) => !noted.includes(name));
  return Object.fromEntries(names.map((name) => [name, shown[name] ?? null]));
}

/** Returns whether the living record has the same content, and none of its versions can be used a second time. */
const isSame = (collection: Collection<Stored>, restored: Item, living: Item): boolean =>
  isDeepStrictEqual(contentOf(collection, restored), contentOf(collection, living)) &&
  number(living.version) >= number(restored.version);

async function putRecord(
  { ref, collection }: ItemCollection,
  restored: Item,
  living: Item | undefined,
): Promise<Action> {
  if (!living) {
    const last = await lastNumberedVersion(ref, restored);
    return records.put(itemAfterLoss(restored, last), { if: unchanged(undefined) });
  }
  const next = nextItem(collection, restored, living);
  return records.put(next, { if: unchanged(living, ['id', 'version', 'row_at']) });
}

/**
 * Returns the item that replaces a living record with the restored one. Its version is new, so that receivers of webhooks get an event and an
 * old ETag does not match. The changed fields count as client edits, so that the product takes the restored values and does not send the old
 * ones again.
 */
export function nextItem(collection: Collection<Stored>, restored: Item, living: Item): Item {
  const { layout, blank, type } = collection;
  const { notified_version: _, ...before } = restored;
  // Attributes of a newer release stay.
  const others = Object.entries(living).filter(([name]) => !(name in layout) && name !== 'row_at');
  const version = Math.max(number(living.version), number(restored.version)) + 1;
  const at = new Date().toISOString();
  const edits = laterEdits(editsOf(living), editsOf(restored));
  const contents = [
    { ...blank, ...living },
    { ...blank, ...restored },
  ] as const;
  return {
    ...Object.fromEntries(others),
    ...before,
    version,
    updated_at: at,
    origin: byOperator,
    ...(isWrittenByClients(type) ? editAttributes(edited(collection, edits, contents, { version, at })) : {}),
  };
}

const isWrittenByClients = (type: Collection<Stored>['type']): boolean =>
  resources[type].scopes.some((scope) => scope.endsWith(':write'));

/** Returns the last version of a record that clients may know. The feed stores the highest version of each record. */
const lastNumberedVersion = async ({ account, type }: CollectionRef, { sk, version }: Item) =>
  Math.max(number(version), await readNumberedVersion(account, type, Number(sk)));

/**
 * Returns the item with which a lost record comes back: unchanged, unless clients may know a later version.
 * @param notified the last version that they may know
 */
const itemAfterLoss = (restored: Item, notified: number): Item =>
  notified > number(restored.version)
    ? {
        ...restored,
        notified_version: notified,
        version: notified + 1,
        updated_at: new Date().toISOString(),
        origin: byOperator,
      }
    : { ...restored, notified_version: restored.version };
