import { absent, plus } from '../../dynamodb/expressions.ts';
import { emptyAnswer, hasAnswer } from '../../dynamodb/idempotency.ts';
import type { Item } from '../../dynamodb/item.ts';
import { records } from '../../dynamodb/tables.ts';
import { type Action, type Transacted, transact, write } from '../../dynamodb/transact.ts';
import { latest } from '../item.ts';
import { type CollectionRef, externalNoteKey, pointerKey, sourceKey } from '../keys.ts';
import { chunkOf } from '../sets/chunk.ts';
import { type DeletedBy, deletionTime, type NameAsRead, noteOf, putNote, readSource } from '../source.ts';
import { countDeleted, noteDeletions, readChunk } from './deletedSet.ts';
import { hideEvents } from './redaction.ts';
import { type Tombstone, tombstoneOf } from './tombstone.ts';

// A deletion leaves a tombstone at the position of the record, because lists count positions. The same transaction adds the position to the
// set of the deleted ones, which lists leave out (deletedSet.ts), and notes the deletion at each of the record's names, with which messages
// that come late are compared (decide.ts). It also puts the item that hides the content of the record's events (redaction.ts). From that
// moment on, nobody is shown or sent the content. What is still stored is redacted afterwards, in turns (lib/webhooks/redaction).

export interface Deleting extends DeletedBy {
  /** The name by which your app deletes it, with its item as it was read. */
  named?: NameAsRead | undefined;
  target?: Item | undefined;
}

/** A deletion of a record as it was read: what is left of it, and the items that it writes for itself. */
interface PreparedDeletion {
  position: number;
  tombstone: Tombstone;
  actions: Action[];
}

/**
 * Deletes a record as it was read. One transaction leaves a tombstone at its place, adds the place to the set of the deleted ones, counts
 * it, frees the external id, notes the deletion at the name of the record, empties the kept answer of the create, and hides the content of
 * its events.
 * @returns undefined when something has changed since it was read
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
 * Commits deletions of one collection in one transaction, in which the set and the count are written once.
 * @returns when it was not committed, the verdict about each action of the deletions, in their order, and others after them
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

/** Every name under which a message about the record may come late. */
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
