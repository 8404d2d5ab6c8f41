import { isDeepStrictEqual } from 'node:util';
import { plus } from '../../../lib/dynamodb/expressions.ts';
import { readItems } from '../../../lib/dynamodb/tableHandle.ts';
import { records, webhooks } from '../../../lib/dynamodb/tables.ts';
import type { Action } from '../../../lib/dynamodb/transact.ts';
import { readNumberedVersion } from '../../../lib/feed/append.ts';
import { eventId } from '../../../lib/feed/entry.ts';
import { readChunk, readDeleted } from '../../../lib/records/deletion/deletedSet.ts';
import { isDeleted } from '../../../lib/records/deletion/tombstone.ts';
import { editAttributes, edited, editsOf, laterEdits } from '../../../lib/records/edits.ts';
import { readById } from '../../../lib/records/get.ts';
import { readCount } from '../../../lib/records/head.ts';
import { type CollectionRef, headKey, pointerKey, recordKey } from '../../../lib/records/keys.ts';
import { byOperator } from '../../../lib/records/origin.ts';
import { positionOf } from '../../../lib/records/position.ts';
import type { Collection, Stored } from '../../../lib/resources/collection.ts';
import { collectionOf } from '../../../lib/resources/collections.ts';
import { isResource, resources, resourceTypes } from '../../../lib/resources/index.ts';
import { eventKey } from '../../../lib/webhooks/model/keys.ts';
import {
  type Item,
  number,
  type Plan,
  planUnlessThere,
  type Restoration,
  type Restorer,
  unchanged,
} from './restoration.ts';

/** Where an item of the Records table belongs. */
interface ItemCollection {
  ref: CollectionRef;
  collection: Collection<Stored>;
}

/**
 * Brings back records. A record that was last changed before `changedBefore` gets the state of the restored table, as a
 * new version. Records that were changed or created later stay. Positions never shift, and no collection gets shorter.
 */
export class RecordsRestorer implements Restorer {
  readonly kindOf = kindOfRecordsItem;
  /** The head comes first: after that, no record is created at a position that is about to come back. */
  readonly early = 'head';
  private readonly restoration: Restoration;
  private readonly counts = new Map<string, Promise<number>>();

  constructor(restoration: Restoration) {
    this.restoration = restoration;
  }

  async plan(kind: string, restored: Item, living: Item | undefined): Promise<Plan> {
    if (kind === 'head') return this.planHead(restored, living);
    if (kind === 'record') return this.planRecord(restored, living);
    if (kind === 'external_id') return this.planExternalId(restored, living);
    if (kind === 'source_id') return this.planSource(restored, living);
    if (kind === 'contact_note') return planUnlessThere(records, restored, living);
    // The requests of kept answers and of queued drafts were answered long ago, the stream has brought a notice to its readers, and each
    // tombstone comes back with its place in the set of the deleted positions.
    return 'passed_over';
  }

  /** The product's own id of a record belongs to it for ever, also when it is deleted. */
  private async planSource(restored: Item, living: Item | undefined): Promise<Plan> {
    const { ref, collection } = itemCollectionOf(restored) as ItemCollection;
    const position = positionOf(collection.prefix, String(restored.id));
    // The restored table has only a part of this create.
    const isCounted = position !== undefined && (await this.isCounted(ref, position));
    if (!living && !isCounted && restored.id !== undefined && restored.gone_at === undefined)
      return 'passed_over';
    return planUnlessThere(records, restored, living);
  }

  private async planHead(restored: Item, living: Item | undefined): Promise<Plan> {
    const count = number(restored.count);
    if (number(living?.count) >= count) return number(living?.count) === count ? 'same' : 'kept';
    const { ref } = itemCollectionOf(restored) as ItemCollection;
    const { at } = restored;
    // The set that is there has counted them. Each tombstone that comes back counts itself.
    const deleted = living ? undefined : (await readDeleted(ref, count, { consistent: true })).size;
    const changes = {
      count,
      ...(at === undefined ? {} : { at }),
      ...(deleted === undefined ? {} : { deleted }),
    };
    return { actions: [records.update(headKey(ref), changes, { if: unchanged(living, ['count']) })] };
  }

  private async planRecord(restored: Item, living: Item | undefined): Promise<Plan> {
    const itemCollection = itemCollectionOf(restored) as ItemCollection;
    const { ref, collection } = itemCollection;
    const position = Number(restored.sk);
    await this.restoration.ensure(headKey(ref));
    // The restored table has only a part of this create.
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
   * The actions that give a record its external id again, and free the one that it has instead.
   * @returns undefined when the external id belongs to another record
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
      if (pointer && pointer.id !== restored.id) {
        const holder = await this.livingRecord(itemCollection, pointer.id);
        if (externalIdOf(holder) === wanted) return undefined;
      }
      if (pointer?.id !== restored.id)
        actions.push(records.put({ ...key, id: restored.id }, { if: unchanged(pointer, ['id']) }));
    }
    if (has !== null && has !== wanted) {
      const key = pointerKey(itemCollection.ref, has);
      const pointer = await this.restoration.living(key);
      if (pointer?.id === restored.id) actions.push(records.delete(key, { if: unchanged(pointer, ['id']) }));
    }
    return actions;
  }

  /** Brings back the item that names the record of an external id, if that record has it. Otherwise it comes back with its record. */
  private async planExternalId(restored: Item, living: Item | undefined): Promise<Plan> {
    if (living) return living.id === restored.id ? 'same' : 'kept';
    const itemCollection = itemCollectionOf(restored) as ItemCollection;
    const externalId = String(restored.pk).slice(pointerKey(itemCollection.ref, '').pk.length);
    const record = await this.livingRecord(itemCollection, restored.id);
    if (!record || externalIdOf(record) !== externalId) return 'passed_over';
    const hasIt = records.check(
      { pk: String(record.pk), sk: String(record.sk) },
      unchanged(record, ['id', 'external_id']),
    );
    return { actions: [hasIt, records.put(restored, { if: unchanged(undefined) })] };
  }

  /** The living record with an id; undefined when there is none, or the id is invalid. */
  private async livingRecord({ ref, collection }: ItemCollection, id: unknown): Promise<Item | undefined> {
    const position = typeof id === 'string' ? positionOf(collection.prefix, id) : undefined;
    const item = position === undefined ? undefined : await this.restoration.living(recordKey(ref, position));
    return item?.id === id ? item : undefined;
  }

  private async isCounted(ref: CollectionRef, position: number): Promise<boolean> {
    return position < (await this.countBefore(ref)) || position < (await readCount(ref));
  }

  /** The length of a collection in the restored table. */
  private countBefore(ref: CollectionRef): Promise<number> {
    const { pk } = headKey(ref);
    const count =
      this.counts.get(pk) ?? this.restoration.restored(headKey(ref)).then((head) => number(head?.count));
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

/** The collection of an item; undefined when it has none, such as a kept answer. */
function itemCollectionOf({ pk }: Item): ItemCollection | undefined {
  const [account = '', type = ''] = String(pk).split('#');
  const collection = isResource(type) ? collectionOf(type) : undefined;
  return collection && { ref: { account, type: collection.type }, collection };
}

function kindOfRecordsItem(item: Item): string | undefined {
  const [, type, part] = String(item.pk).split('#');
  if (type === 'idempotency' && item.sk === 'answer') return 'answer';
  if (type === 'notices') return 'notice';
  if (itemCollectionOf(item) === undefined) return undefined;
  if (part === undefined) return item.sk === 'head' ? 'head' : undefined;
  if (/^\d+$/.test(part)) return 'record';
  if (part === 'external') return 'external_id';
  if (part === 'source') return item.sk === 'pointer' ? 'source_id' : 'contact_note';
  if (part === 'deleted') return 'deleted_positions';
  return part === 'queue' || part === 'outcome' ? 'waiting' : undefined;
}

/**
 * A deleted record stays deleted. A tombstone that is lost comes back, and so does one of a record that was deleted after the backup:
 * the set of the deleted positions has it.
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
  const version = living ? 0 : 1 + (await lastNotifiedVersion(ref, restored));
  const tombstone = isDeleted(restored)
    ? restored
    : { pk, sk, id, version, created_at, updated_at: at, deleted_at: at, origin: byOperator };
  return {
    actions: [
      ...(living ? [] : [records.put(tombstone, { if: unchanged(undefined) })]),
      ...(chunk.has ? [] : [chunk.add, records.update(headKey(ref), { deleted: plus(1) })]),
    ],
  };
}

/** Whether an id is that of a deleted record. Its tombstone may be lost, too: the set of the deleted positions has it then. */
export async function isIdOfDeleted(account: string, id: string): Promise<boolean> {
  const type = resourceTypes.find((one) => id.startsWith(`${resources[one].prefix}_`));
  if (type === undefined) return false;
  const collection = collectionOf(type);
  const item = await readById(collection, account, id);
  const position = positionOf(collection.prefix, id);
  if (item || position === undefined) return isDeleted(item);
  return (await readChunk({ account, type: collection.type }, position)).has;
}

/** The attributes that differ in every version. */
const noted = ['version', 'updated_at'];

/** Returns what clients see of an item, without its version. A corrupt item may have any shape. */
function contentOf({ layout, blank }: Collection<Stored>, item: Item): Item {
  const shown: Item = { ...blank, ...item };
  const names = Object.keys(layout).filter((name) => !noted.includes(name));
  return Object.fromEntries(names.map((name) => [name, shown[name] ?? null]));
}

/** Whether the living record has the same content, and no version of it can be used a second time. */
const isSame = (collection: Collection<Stored>, restored: Item, living: Item): boolean =>
  isDeepStrictEqual(contentOf(collection, restored), contentOf(collection, living)) &&
  number(living.version) >= number(restored.version);

async function putRecord(
  { ref, collection }: ItemCollection,
  restored: Item,
  living: Item | undefined,
): Promise<Action> {
  if (!living) {
    const last = await lastNotifiedVersion(ref, restored);
    return records.put(itemAfterLoss(restored, last), { if: unchanged(undefined) });
  }
  const next = nextItem(collection, restored, living);
  return records.put(next, { if: unchanged(living, ['id', 'version', 'stated_at']) });
}

/**
 * The item with which a restored record replaces the living one. Its version is new, so that receivers of webhooks get
 * an event and an old ETag does not match. What it changes counts as edits, so that the product takes the restored values and does not
 * state the old ones again.
 */
export function nextItem(collection: Collection<Stored>, restored: Item, living: Item): Item {
  const { layout, blank, type } = collection;
  const { notified_version: _, ...before } = restored;
  // Attributes of a newer release stay.
  const others = Object.entries(living).filter(([name]) => !(name in layout) && name !== 'stated_at');
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

/**
 * The item with which a lost record comes back: unchanged, unless clients may know a later version.
 * @param notified the last version that webhooks or the feed of changes have reported, or the restored one
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

/** How many versions in a row have no event when there is no later one: a version without a subscriber has none. */
const versionsWithoutEvent = 10;

/**
 * The last version of a record that clients may know, from webhooks or from the feed of changes; its own when no later
 * version has an event or a number. Events are kept for 41 days, and a table can be restored to a time within 35, so all
 * events since that time still exist. The feed keeps the highest version of each record.
 */
async function lastNotifiedVersion(
  { account, type }: CollectionRef,
  { id, sk, version }: Item,
): Promise<number> {
  const numbered = await readNumberedVersion(account, type, Number(sk));
  for (let last = Math.max(number(version), numbered); ; ) {
    const versions = Array.from({ length: versionsWithoutEvent }, (_, i) => last + 1 + i);
    const keys = versions.map((one) =>
      eventKey(account, eventId(account, { id: id as string, version: one })),
    );
    const found = new Set((await readItems(webhooks, keys)).map(({ pk }) => pk));
    const later = versions.filter((_, i) => found.has(keys[i]?.pk));
    if (later.length === 0) return last;
    last = Math.max(...later);
  }
}
