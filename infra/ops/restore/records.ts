import { isDeepStrictEqual } from 'node:util';
import { readMany } from '../../../lib/dynamodb/batch.ts';
import type { Action } from '../../../lib/dynamodb/transact.ts';
import { env, required } from '../../../lib/env.ts';
import { readNumberedVersion } from '../../../lib/feed/append.ts';
import { eventId } from '../../../lib/feed/entry.ts';
import { editAttributes, edited, editsOf, laterEdits } from '../../../lib/records/edits.ts';
import { readCount } from '../../../lib/records/head.ts';
import { type CollectionRef, headKey, pointerKey } from '../../../lib/records/keys.ts';
import { byOperator } from '../../../lib/records/origin.ts';
import { positionOf } from '../../../lib/records/position.ts';
import type { Collection, Stored } from '../../../lib/resources/collection.ts';
import { collectionOf } from '../../../lib/resources/collections.ts';
import { isResource, resources } from '../../../lib/resources/index.ts';
import { eventKey } from '../../../lib/webhooks/model/keys.ts';
import { isAnswerErased, recordWithoutErased } from '../erase/backups.ts';
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
    if (kind === 'erasure') return planUnlessThere(this.restoration.job.to, restored, living);
    // The create request of a queued draft was answered long ago, and the stream has brought a notice to its readers.
    return 'passed_over';
  }

  async finish(): Promise<void> {}

  private async planAnswer(restored: Item, living: Item | undefined): Promise<Plan> {
    const [account = ''] = String(restored.pk).split('#');
    if (!living && (await isAnswerErased(account, restored))) return 'passed_over';
    return planUnlessThere(this.restoration.job.to, restored, living);
  }

  /** The product's own id of a record belongs to it for ever, also after an erasure. */
  private async planSource(restored: Item, living: Item | undefined): Promise<Plan> {
    const { ref, collection } = itemCollectionOf(restored) as ItemCollection;
    const position = positionOf(collection.prefix, String(restored.id));
    // The restored table has only a part of this create.
    if (!living && (position === undefined || !(await this.isCounted(ref, position)))) return 'passed_over';
    return planUnlessThere(this.restoration.job.to, restored, living);
  }

  private planHead(restored: Item, living: Item | undefined): Plan {
    const count = number(restored.count);
    if (number(living?.count) >= count) return number(living?.count) === count ? 'same' : 'kept';
    const { pk, sk, at } = restored;
    const update = {
      TableName: this.restoration.job.to,
      Key: { pk, sk },
      UpdateExpression: at === undefined ? 'SET #count = :count' : 'SET #count = :count, #at = :at',
      ConditionExpression:
        'attribute_not_exists(#count) OR NOT attribute_type(#count, :number) OR #count < :count',
      ExpressionAttributeNames: { '#count': 'count', ...(at === undefined ? {} : { '#at': 'at' }) },
      ExpressionAttributeValues: {
        ':count': count,
        ':number': 'N',
        ...(at === undefined ? {} : { ':at': at }),
      },
    };
    return { actions: [{ Update: update }] };
  }

  private async planRecord(before: Item, living: Item | undefined): Promise<Plan> {
    const itemCollection = itemCollectionOf(before) as ItemCollection;
    const { ref, collection } = itemCollection;
    const restored = living ? before : await recordWithoutErased(collection, ref.account, before);
    const position = Number(restored.sk);
    await this.restoration.ensure(headKey(ref));
    // The restored table has only a part of this create.
    if (!living && !(await this.isCounted(ref, position))) return 'passed_over';
    const { id } = living ?? {};
    if (id !== restored.id && typeof id === 'string' && positionOf(collection.prefix, id) === position)
      return {
        stays: `the record ${restored.id} is not brought back: ${id} has been created at its position since`,
      };
    if (living && isSame(collection, restored, living))
      return this.broughtAlong.delete(restored.id) ? 'brought_back' : 'same';
    if (living && this.isNewer(living)) return 'kept';
    const members = await groupOf(this.restoration, itemCollection, { restored, living }, this.isNewer);
    if (!members) return this.planWithoutExternalId(itemCollection, restored, living);
    for (const member of members.slice(1)) this.broughtAlong.add(member.restored.id);
    return { actions: await actionsFor(this.restoration, itemCollection, members) };
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

  /** A record that was erased stays as it is: the backup may be from before. */
  private readonly isNewer = ({ updated_at, erased_at }: Item): boolean =>
    erased_at !== undefined ||
    (typeof updated_at === 'string' && updated_at >= this.restoration.job.changedBefore);
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
  if (type === 'erasures') return 'erasure';
  if (type === 'notices') return 'notice';
  if (itemCollectionOf(item) === undefined) return undefined;
  if (part === undefined) return item.sk === 'head' ? 'head' : undefined;
  if (/^\d+$/.test(part)) return 'record';
  if (part === 'external') return 'external_id';
  if (part === 'source') return 'source_id';
  return part === 'queue' || part === 'outcome' ? 'waiting' : undefined;
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
