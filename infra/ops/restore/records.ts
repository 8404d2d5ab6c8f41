import { readCount } from '../../../lib/records/head.ts';
import { type CollectionRef, headKey, pointerKey } from '../../../lib/records/keys.ts';
import { positionOf } from '../../../lib/records/position.ts';
import { isAnswerErased, recordWithoutErased } from '../erase/backups.ts';
import { number, planUnlessThere } from './conditions.ts';
import { planExternalId } from './externalIds.ts';
import { actionsFor, groupOf, type Member } from './recordGroup.ts';
import { type ItemCollection, itemCollectionOf, kindOfRecordsItem } from './recordKinds.ts';
import { externalIdOf, isSame } from './recordState.ts';
import type { Item, Plan, Restoration, Restorer } from './restoration.ts';

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
    if (kind === 'external_id') return planExternalId(this.restoration, restored, living);
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
    const restored = living ? before : await recordWithoutErased(ref.account, before);
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
