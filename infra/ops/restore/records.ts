import { isDeepStrictEqual } from 'node:util';
import { readMany } from '../../../lib/dynamodb/batch.ts';
import { plus } from '../../../lib/dynamodb/expressions.ts';
import { records as recordsTable } from '../../../lib/dynamodb/tables.ts';
import type { Action } from '../../../lib/dynamodb/transact.ts';
import { env, required } from '../../../lib/env.ts';
import { readNumberedVersion } from '../../../lib/feed/append.ts';
import { eventId } from '../../../lib/feed/entry.ts';
import { readChunk, readDeleted } from '../../../lib/records/deletion/deletedSet.ts';
import { isDeleted } from '../../../lib/records/deletion/tombstone.ts';
import { editAttributes, edited, editsOf, laterEdits } from '../../../lib/records/edits.ts';
import { readById } from '../../../lib/records/get.ts';
import { readCount } from '../../../lib/records/head.ts';
import { type CollectionRef, headKey, pointerKey } from '../../../lib/records/keys.ts';
import { byOperator } from '../../../lib/records/origin.ts';
import { positionOf } from '../../../lib/records/position.ts';
import type { Collection, Stored } from '../../../lib/resources/collection.ts';
import { collectionOf } from '../../../lib/resources/collections.ts';
import { isResource, resources, resourceTypes } from '../../../lib/resources/index.ts';
import { parsed } from '../../../lib/values/json.ts';
import { eventKey } from '../../../lib/webhooks/model/keys.ts';
import {
  externalIdActions,
  externalIdOf,
  groupOf,
  type ItemCollection,
  type Member,
  planExternalId,
} from './externalIds.ts';
import {
  type Item,
  number,
  type Plan,
  planUnlessThere,
  putInPlaceOf,
  type Restoration,
  type Restorer,
} from './restoration.ts';

/**
 * Brings back records. A record that was last changed before `changedBefore` gets the state of the restored table, as a
 * new version. Records that were changed or created later stay. Positions never shift, and no collection gets shorter.
 */
export class RecordsRestorer implements Restorer {
  readonly kindOf = kindOfRecordsItem;
  /** The head comes first: after that, no record is created at a position that is about to come back. */
  readonly early = ['head'];
  private readonly restoration: Restoration;
  private readonly counts = new Map<string, Promise<number>>();
  /** Records that came back together with another one. */
  private readonly broughtAlong = new Set<unknown>();

  constructor(restoration: Restoration) {
    this.restoration = restoration;
  }

  async plan(kind: string, restored: Item, living: Item | undefined): Promise<Plan> {
    if (kind === 'head') return this.planHead(restored, living);
    if (kind === 'record') return this.planRecord(restored, living);
    if (kind === 'external_id')
      return planExternalId(this.restoration, itemCollectionOf(restored) as ItemCollection, restored, living);
    if (kind === 'source_id') return this.planSource(restored, living);
    if (kind === 'answer') return this.planAnswer(restored, living);
    // The create request of a queued draft was answered long ago, the stream has brought a notice to its readers, and each tombstone comes
    // back with its place in the set of the deleted positions.
    return 'passed_over';
  }

  async finish(): Promise<void> {}

  private async planAnswer(restored: Item, living: Item | undefined): Promise<Plan> {
    const [account = ''] = String(restored.pk).split('#');
    if (!living && (await isAnswerOfDeleted(account, restored))) return 'passed_over';
    return planUnlessThere(this.restoration.job.to, restored, living);
  }

  /** The product's own id of a record belongs to it for ever, also when it is deleted. */
  private async planSource(restored: Item, living: Item | undefined): Promise<Plan> {
    const { ref, collection } = itemCollectionOf(restored) as ItemCollection;
    const position = positionOf(collection.prefix, String(restored.id));
    // The restored table has only a part of this create.
    const isCounted = position !== undefined && (await this.isCounted(ref, position));
    if (!living && !isCounted && restored.gone_at === undefined) return 'passed_over';
    return planUnlessThere(this.restoration.job.to, restored, living);
  }

  private async planHead(restored: Item, living: Item | undefined): Promise<Plan> {
    const count = number(restored.count);
    if (number(living?.count) >= count) return number(living?.count) === count ? 'same' : 'kept';
    const { pk, sk, at } = restored;
    const { ref } = itemCollectionOf(restored) as ItemCollection;
    // The set that is there has counted them. Each tombstone that comes back counts itself.
    const deleted = living ? undefined : (await readDeleted(ref, count, { consistent: true })).size;
    const update = {
      TableName: this.restoration.job.to,
      Key: { pk, sk },
      UpdateExpression: `SET #count = :count${at === undefined ? '' : ', #at = :at'}${deleted === undefined ? '' : ', #deleted = :deleted'}`,
      ConditionExpression:
        'attribute_not_exists(#count) OR NOT attribute_type(#count, :number) OR #count < :count',
      ExpressionAttributeNames: {
        '#count': 'count',
        ...(at === undefined ? {} : { '#at': 'at' }),
        ...(deleted === undefined ? {} : { '#deleted': 'deleted' }),
      },
      ExpressionAttributeValues: {
        ':count': count,
        ':number': 'N',
        ...(at === undefined ? {} : { ':at': at }),
        ...(deleted === undefined ? {} : { ':deleted': deleted }),
      },
    };
    return { actions: [{ Update: update }] };
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
    const deletion = await this.planDeleted(ref, restored, living);
    if (deletion) return deletion;
    if (living && isSame(collection, restored, living))
      return this.broughtAlong.delete(restored.id) ? 'brought_back' : 'same';
    if (living && this.isNewer(living)) return 'kept';
    const members = await groupOf(this.restoration, itemCollection, { restored, living }, this.isNewer);
    if (!members) return this.planWithoutExternalId(itemCollection, restored, living);
    for (const member of members.slice(1)) this.broughtAlong.add(member.restored.id);
    return { actions: await actionsFor(this.restoration, itemCollection, members) };
  }

  /**
   * A deleted record stays deleted. A tombstone that is lost comes back, and so does one of a record that was deleted after the backup:
   * the set of the deleted positions has it.
   * @returns undefined for a record that is not deleted
   */
  private async planDeleted(
    ref: CollectionRef,
    restored: Item,
    living: Item | undefined,
  ): Promise<Plan | undefined> {
    const { to } = this.restoration.job;
    const isOf = isDeleted(living ?? restored);
    if (living && !isOf) return undefined;
    const chunk = await readChunk(ref, Number(restored.sk));
    if (!isOf && !chunk.has) return undefined;
    if (living && chunk.has) return isDeleted(restored) ? 'same' : 'kept';
    const { pk, sk, id, version, created_at } = restored;
    const at = new Date().toISOString();
    const last = living
      ? 0
      : await lastNotifiedVersion(ref, { id: id as string, position: Number(sk), version: number(version) });
    const tombstone = isDeleted(restored)
      ? restored
      : { pk, sk, id, version: last + 1, created_at, updated_at: at, deleted_at: at, origin: byOperator };
    return {
      actions: [
        ...(living ? [] : [putInPlaceOf(to, undefined, tombstone)]),
        ...(chunk.has ? [] : [chunk.add, recordsTable.update(headKey(ref), { deleted: plus(1) })]),
      ],
    };
  }

  /** The plan when another record has the external id: the record keeps the one that it has now, if any. */
  private async planWithoutExternalId(
    itemCollection: ItemCollection,
    restored: Item,
    living: Item | undefined,
  ): Promise<Plan> {
    const { external_id: _, ...rest } = restored;
    const has = externalIdOf(living);
    const without = has === null ? rest : { ...rest, external_id: has };
    const reason = `the record ${restored.id} does not get its external id back: another record has it since`;
    if (living && isSame(itemCollection.collection, without, living)) return { stays: reason };
    const pointer =
      has === null ? undefined : await this.restoration.living(pointerKey(itemCollection.ref, has));
    const member: Member = { restored: without, living, pointer };
    return { actions: await actionsFor(this.restoration, itemCollection, [member]), but: reason };
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

  private readonly isNewer = (living: Item): boolean =>
    isDeleted(living) ||
    (typeof living.updated_at === 'string' && living.updated_at >= this.restoration.job.changedBefore);
}

/** The collection of an item; undefined when it has none, such as a kept answer. */
function itemCollectionOf({ pk }: Item): ItemCollection | undefined {
  const [account = '', type = ''] = String(pk).split('#');
  const collection = isResource(type) ? collectionOf(type) : undefined;
  return collection && { ref: { account, type: collection.type }, collection };
}

/** The kind of an item of the Records table. */
function kindOfRecordsItem(item: Item): string | undefined {
  const [, type, part] = String(item.pk).split('#');
  if (type === 'idempotency' && item.sk === 'answer') return 'answer';
  if (type === 'notices') return 'notice';
  if (itemCollectionOf(item) === undefined) return undefined;
  if (part === undefined) return item.sk === 'head' ? 'head' : undefined;
  if (/^\d+$/.test(part)) return 'record';
  if (part === 'external') return 'external_id';
  if (part === 'source') return 'source_id';
  if (part === 'deleted') return 'deleted_positions';
  return part === 'queue' || part === 'outcome' ? 'waiting' : undefined;
}

/** Whether a kept answer shows a record that was deleted after the backup. */
async function isAnswerOfDeleted(account: string, { body }: Item): Promise<boolean> {
  const { id } = (parsed(String(body)) ?? {}) as Item;
  return id !== undefined && isIdOfDeleted(account, String(id));
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

/** What clients see of an item, without its version. A corrupt item may have any shape. */
function contentOf({ layout, blank }: Collection<Stored>, item: Item): Item {
  const shown: Item = { ...blank, ...item };
  const names = Object.keys(layout).filter((name) => !noted.includes(name));
  return Object.fromEntries(names.map((name) => [name, shown[name] ?? null]));
}

/** Whether the living record has the same content, and no version of it can be used a second time. */
const isSame = (collection: Collection<Stored>, restored: Item, living: Item): boolean =>
  isDeepStrictEqual(contentOf(collection, restored), contentOf(collection, living)) &&
  number(living.version) >= number(restored.version);

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
 * The last version of a record that clients may know, from webhooks or from the feed of changes; the given one when no later
 * version has an event or a number. Events are kept for 41 days, and a table can be restored to a time within 35, so all
 * events since that time still exist. The feed keeps the highest version of each record.
 */
async function lastNotifiedVersion(
  { account, type }: CollectionRef,
  { id, position, version }: { id: string; position: number; version: number },
): Promise<number> {
  const numbered = await readNumberedVersion(account, type, position);
  for (let last = Math.max(version, numbered); ; ) {
    const versions = Array.from({ length: versionsWithoutEvent }, (_, i) => last + 1 + i);
    const keys = versions.map((one) => eventKey(account, eventId(account, { id, version: one })));
    const found = new Set((await readMany(required(env.webhooksTable), keys)).map(({ pk }) => pk));
    const later = versions.filter((_, i) => found.has(keys[i]?.pk));
    if (later.length === 0) return last;
    last = Math.max(...later);
  }
}

/** The transaction that brings back a group, with its external ids. */
async function actionsFor(
  restoration: Restoration,
  itemCollection: ItemCollection,
  members: readonly Member[],
): Promise<Action[]> {
  const [records, externalIds] = await Promise.all([
    Promise.all(members.map((member) => putRecord(restoration, itemCollection, member))),
    externalIdActions(restoration, itemCollection, members),
  ]);
  return [...records, ...externalIds];
}

async function putRecord(
  { job: { to } }: Restoration,
  { ref, collection }: ItemCollection,
  { restored, living }: Member,
): Promise<Action> {
  if (living)
    return putInPlaceOf(to, living, nextItem(collection, restored, living), ['id', 'version', 'stated_at']);
  const { id, sk, version } = restored;
  const record = { id: id as string, position: Number(sk), version: number(version) };
  const notified = await lastNotifiedVersion(ref, record);
  return putInPlaceOf(to, undefined, itemAfterLoss(restored, notified));
}
