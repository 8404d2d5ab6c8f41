import type { Origin } from '../../contract/origin.ts';
import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { absent, plus } from '../../dynamodb/expressions.ts';
import { emptyAnswer, hasAnswer } from '../../dynamodb/idempotency.ts';
import type { Item } from '../../dynamodb/item.ts';
import { records } from '../../dynamodb/tables.ts';
import { type Action, type Transacted, transact, write } from '../../dynamodb/transact.ts';
import { getItem } from '../get.ts';
import { latest, type Tombstone, tombstoneOf } from '../recordItem.ts';
import { type CollectionRef, externalNoteKey, pointerKey, sourceKey } from '../recordKeys.ts';
import { chunkOf } from '../sets/chunk.ts';
import { type DeletedBy, type NameAsRead, noteOf, putNote, readSource, type SourceItem } from '../source.ts';
import { countDeleted, noteDeletions, readChunk } from './deletedSet.ts';
import { hideEvents } from './redaction.ts';

// A deletion leaves a tombstone at the position of the record, because lists count positions. The same transaction adds the position to the set
// of deleted positions, which lists leave out (deletedSet.ts). It notes the deletion at each of the record's names, because late messages are
// compared with these notes (decide.ts). It also puts the item that hides the content of the record's events (redaction.ts). From then on,
// nobody can see or receive the content. The redaction steps then remove the stored content (lib/webhooks/redaction).

export interface Deleting extends DeletedBy {
  /** The name by which your app deletes the record, with its item as it was read. */
  named?: NameAsRead | undefined;
  target?: Item | undefined;
}

/** A deletion of a record as it was read: the tombstone, and the actions that belong to this deletion alone. */
interface PreparedDeletion {
  position: number;
  tombstone: Tombstone;
  actions: Action[];
}

/**
 * Deletes a record for a client.
 * @param permit throws if the version must not be deleted
 * @throws ApiError 404 if there is no such record, and whatever `permit` throws
 */
export const deleteById = (
  ref: CollectionRef,
  id: string,
  { origin, deadline, permit }: { origin: Origin; deadline: number; permit: (version: number) => void },
): Promise<Tombstone> =>
  untilCommitted(deadline, async () => {
    const item = await getItem(ref, id);
    permit(item.version as number);
    return deleteAsRead(ref, item, { origin });
  });

/**
 * Deletes a record as it was read. One transaction leaves a tombstone at its position, adds the position to the deleted set, counts it, frees
 * the external id, notes the deletion at the record's names, empties the kept response of the create, and hides the content of its events.
 * @returns undefined if something changed after it was read
 */
export async function deleteAsRead(
  ref: CollectionRef,
  item: Item,
  deleting: Deleting,
): Promise<Tombstone | undefined> {
  const prepared = await prepareDeletion(ref, item, deleting);
  return (await commitDeletions(ref, [prepared])).committed ? prepared.tombstone : undefined;
}

/**
 * Commits deletions of one collection in one transaction, which writes the set and the count once.
 * @returns if the transaction was refused, the verdicts on the actions of the deletions, in order, followed by the other verdicts
 */
export async function commitDeletions(
  ref: CollectionRef,
  prepared: readonly PreparedDeletion[],
): Promise<Transacted> {
  const byChunk = Map.groupBy(
    prepared.map(({ position }) => position),
    chunkOf,
  );
  const chunks = await Promise.all(
    [...byChunk.values()].map(([first, ...others]) => readChunk(ref, first as number, ...others)),
  );
  if (chunks.some(({ isNew }) => isNew)) await write(noteDeletions(ref));
  return transact([
    ...prepared.flatMap(({ actions }) => actions),
    ...chunks.map(({ add }) => add),
    countDeleted(ref, plus(prepared.length)),
  ]);
}

/** Returns the time for a new deletion, which is later than that of the last one. */
export const deletionTime = ({ deleted_at }: SourceItem = {}): string =>
  latest(deleted_at && new Date(Date.parse(deleted_at) + 1).toISOString(), new Date().toISOString());

export async function prepareDeletion(
  ref: CollectionRef,
  item: Item,
  { named, target, ...by }: Deleting,
): Promise<PreparedDeletion> {
  const { account } = ref;
  const { pk, sk, id, version, created_at, updated_at, external_id, source_id, kept_answer } = item as Item &
    StoredItem;
  const [names, hasKept] = await Promise.all([
    namesOf(ref, item as Item & StoredItem, named),
    kept_answer !== undefined && hasAnswer(records, account, kept_answer),
  ]);
  const at = names.map(({ read }) => deletionTime(read)).reduce(latest, latest(updated_at, deletionTime()));
  const { origin } = by;
  const tombstone = {
    ...{ pk, sk, id, version: version + 1, created_at, updated_at: at, deleted_at: at, origin },
    merged_into: target?.id,
  };
  const actions = [
    records.put(tombstone, { if: { id, version, source_id, revision: item.revision, deleted_at: absent } }),
    hideEvents(account, id, version),
    ...(external_id === undefined ? [] : [records.delete(pointerKey(ref, external_id))]),
    ...names.map((one) => putNote(one, noteOf(at, by, one.read, item))),
    ...(kept_answer !== undefined && hasKept ? [emptyAnswer(records, account, kept_answer)] : []),
    ...(target
      ? [
          records.check(
            { pk: target.pk as string, sk: target.sk as string },
            { id: target.id, deleted_at: absent },
          ),
        ]
      : []),
  ];
  return { position: Number(sk), tombstone: tombstoneOf(tombstone), actions };
}

/** Reads every name under which a late message about the record may arrive. */
function namesOf(
  ref: CollectionRef,
  { source_id, external_id, sent_as = [] }: StoredItem,
  named: NameAsRead | undefined,
): Promise<NameAsRead[]> {
  const keys = [
    ...(source_id === undefined ? [] : [sourceKey(ref, source_id)]),
    ...[external_id, ...sent_as].flatMap((name) => (name == null ? [] : [externalNoteKey(ref, name)])),
  ];
  const others = [...new Map(keys.map((key) => [key.pk, key])).values()].filter(
    ({ pk }) => pk !== named?.key.pk,
  );
  return Promise.all([
    ...(named ? [named] : []),
    ...others.map(async (key) => ({ key, read: await readSource(key) })),
  ]);
}

interface StoredItem {
  pk: string;
  sk: string;
  id: string;
  version: number;
  created_at: string;
  updated_at: string;
  external_id?: string;
  source_id?: string;
  sent_as?: readonly string[];
  kept_answer?: string;
}
