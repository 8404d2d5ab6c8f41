import { keepAnswer } from '../../dynamodb/idempotency.ts';
import { type Action, transact, type Verdict } from '../../dynamodb/transact.ts';
import { env, required } from '../../env.ts';
import type { Collection, Stored } from '../../resources/collection.ts';
import { edited } from '../edits.ts';
import { type Head, type Lease, toHead } from '../head.ts';
import { latest, toAttributes } from '../item.ts';
import { type CollectionRef, headKey, pointerKey, recordKey, sourceKey } from '../keys.ts';
import { isOfClient } from '../origin.ts';
import { type CommitPoint, type Draft, recordAt } from './draft.ts';

/** A draft to commit, with what else the same transaction has to write. */
export interface CommitEntry<R extends Stored> {
  draft: Draft<R>;
  extra?: (point: CommitPoint) => readonly Action[];
}

/**
 * What became of an attempt to append drafts.
 * committed: all drafts have their positions, from `first` on. `at` is the time.
 * refused: some drafts can never be committed; nothing was written. Those in `taken` have an external id that belongs to the
 * record with the given id; those in `repeated` come from requests that have been answered before.
 * lost: another process was faster, or was writing the same items; nothing was written. `head` is the new head, if it is
 * known. Those in `finished` have been committed or withdrawn meanwhile: their extra actions were refused.
 */
export type CommitOutcome<R extends Stored> =
  | { kind: 'committed'; first: number; at: string }
  | { kind: 'refused'; taken: Map<Draft<R>, string>; repeated: Set<Draft<R>> }
  | { kind: 'lost'; head: Head | undefined; finished: Set<Draft<R>> };

/** One of the actions that commit a draft. `part` says what its failed condition means. */
interface Step<R extends Stored> {
  draft: Draft<R>;
  part: 'record' | 'pointer' | 'source' | 'answer' | 'extra';
  action: Action;
}

/** The number of actions that commit a draft, without its extra ones. */
export const actionsFor = ({ content, sourceId, once }: Draft<Stored>): number =>
  1 +
  (content.external_id === null ? 0 : 1) +
  (sourceId === undefined ? 0 : 1) +
  (once === undefined ? 0 : 1);

/**
 * Appends drafts to a collection that is expected to have this head. One transaction moves the head and puts every record at
 * its position: so positions have no holes, and the head is the exact total. Times grow with positions, also when the clocks
 * of two processes differ.
 * @param lease is written with the head, when the committing process leads
 */
export async function commitAt<R extends Stored>(
  collection: Collection<R>,
  account: string,
  head: Head,
  entries: readonly CommitEntry<R>[],
  lease?: Lease,
): Promise<CommitOutcome<R>> {
  const ref = { account, type: collection.type };
  const at = latest(head.at, new Date().toISOString());
  const steps = entries.flatMap((entry, i) =>
    stepsOf(collection, ref, entry, { position: head.count + i, at }),
  );
  const { refused } = await transact([
    moveHead(ref, head.count, { count: head.count + entries.length, at, lease }),
    ...steps.map(({ action }) => action),
  ]);
  return refused ? outcomeOf(refused, steps) : { kind: 'committed', first: head.count, at };
}

/** @param count the length that the collection must have */
function moveHead(ref: CollectionRef, count: number, { lease, ...next }: Head): Action {
  return {
    Update: {
      TableName: required(env.recordsTable),
      Key: headKey(ref),
      UpdateExpression: `SET #count = :next, #at = :at${lease ? ', leader = :leader, leads_until = :until, wait_ms = :wait' : ''}`,
      ConditionExpression: count === 0 ? 'attribute_not_exists(#count)' : '#count = :count',
      ExpressionAttributeNames: { '#count': 'count', '#at': 'at' },
      ExpressionAttributeValues: {
        ':next': next.count,
        ':at': next.at,
        ...(count === 0 ? {} : { ':count': count }),
        ...(lease ? { ':leader': lease.leader, ':until': lease.until, ':wait': lease.waitMs } : {}),
      },
      // The new head comes with the refusal, so the next attempt needs no read.
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}

function stepsOf<R extends Stored>(
  collection: Collection<R>,
  ref: CollectionRef,
  { draft, extra = () => [] }: CommitEntry<R>,
  point: CommitPoint,
): Step<R>[] {
  const record = recordAt(collection, draft, point);
  const put: Action = {
    Put: {
      TableName: required(env.recordsTable),
      Item: {
        ...recordKey(ref, point.position),
        ...toAttributes(collection, {
          record,
          statedAt: draft.statedAt,
          origin: draft.origin,
          sourceId: draft.sourceId,
          revision: draft.revision,
          edits: isOfClient(draft.origin)
            ? edited(collection, undefined, [collection.blank, record], { version: 1, at: point.at })
            : undefined,
        }),
        // An erasure finds the kept answer by this.
        ...(draft.once === undefined ? {} : { kept_answer: draft.once.name }),
      },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
  const { external_id, id } = record;
  const { once } = draft;
  const step = (part: Step<R>['part'], action: Action): Step<R> => ({ draft, part, action });
  return [
    step('record', put),
    ...(external_id === null ? [] : [step('pointer', putPointer(ref, external_id, id))]),
    ...(draft.sourceId === undefined ? [] : [step('source', putSource(ref, draft.sourceId, id))]),
    ...keepAnswer(required(env.recordsTable), ref.account, once, record).map((action) =>
      step('answer', action),
    ),
    ...extra(point).map((action) => step('extra', action)),
  ];
}

/** Gives an external id to a record, unless another one has it. */
export const putPointer = (ref: CollectionRef, externalId: string, id: string): Action => ({
  Put: {
    TableName: required(env.recordsTable),
    Item: { ...pointerKey(ref, externalId), id },
    ConditionExpression: 'attribute_not_exists(pk)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  },
});

/** Gives the product's own id to a record, unless another one has it. */
export const putSource = (ref: CollectionRef, sourceId: string, id: string): Action => ({
  Put: {
    TableName: required(env.recordsTable),
    Item: { ...sourceKey(ref, sourceId), id },
    // A record that was erased still has it.
    ConditionExpression: 'attribute_not_exists(pk) OR id = :id',
    ExpressionAttributeValues: { ':id': id },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  },
});

function outcomeOf<R extends Stored>(
  [head, ...rest]: Verdict[],
  steps: readonly Step<R>[],
): CommitOutcome<R> {
  const refused = (part: Step<R>['part']) =>
    steps.flatMap((step, i) => {
      const verdict = rest[i];
      return step.part === part && verdict?.kind === 'refused'
        ? [{ draft: step.draft, item: verdict.item }]
        : [];
    });
  // A draft that has been committed meanwhile meets its own kept answer and its own external id. A repeated request meets
  // the external id of its first effect. So `finished` rules out `repeated`, and both rule out `taken`.
  const finished = new Set(refused('extra').map(({ draft }) => draft));
  const repeated = new Set(refused('answer').flatMap(({ draft }) => (finished.has(draft) ? [] : [draft])));
  // While another transaction is at the answer or the outcome of a draft, it is unknown which of these the draft is.
  const unsure = new Set(
    steps.flatMap(({ draft, part }, i) =>
      (part === 'answer' || part === 'extra') && rest[i]?.kind === 'contended' ? [draft] : [],
    ),
  );
  const taken = [...refused('pointer'), ...refused('source')].filter(
    ({ draft }) => !finished.has(draft) && !repeated.has(draft) && !unsure.has(draft),
  );
  if (taken.length + repeated.size > 0) {
    const by = taken.map(({ draft, item }) => [draft, item?.id as string] as const);
    return { kind: 'refused', taken: new Map(by), repeated };
  }
  const found = head?.kind === 'refused' ? toHead(head.item) : undefined;
  return { kind: 'lost', head: found, finished };
}
