import { env, required } from '../env.ts';
import type { Collection, Stored } from './collection.ts';
import { type Draft, recordAt } from './draft.ts';
import { toAttributes } from './item.ts';
import { headKey, type Place, pointerKey, recordKey } from './keys.ts';
import { type Action, transact, type Verdict } from './transact.ts';

/** A draft on its way to a position, with whatever else has to be written in the same transaction. */
export interface Boarding<R extends Stored> {
  draft: Draft<R>;
  extra?: readonly Action[];
}

/**
 * What became of an attempt to append drafts.
 * placed: all have their positions, from `first` on.
 * taken: some have an external id that belongs to another record; nothing was written.
 * lost: somebody else was faster, or at the same items; nothing was written. `count` is the new length, if it is known;
 * `settled` says that some drafts have been placed or taken back meanwhile, which their extras found out.
 */
export type Outcome<R extends Stored> =
  | { kind: 'placed'; first: number }
  | { kind: 'taken'; by: Map<Draft<R>, string> }
  | { kind: 'lost'; count: number | undefined; settled: boolean };

/** The most actions that placing one draft takes, without its extras: the record and the pointer. */
export const actionsPerDraft = 2;

/**
 * Appends drafts to a collection that is believed to have `count` records: one transaction that moves the head and puts
 * every record at its position, so that positions have no holes and the head is the exact total.
 */
export async function placeAt<R extends Stored>(
  collection: Collection<R>,
  account: string,
  count: number,
  boardings: readonly Boarding<R>[],
): Promise<Outcome<R>> {
  const place = { account, type: collection.type };
  const steps = boardings.map(({ draft, extra = [] }, i) => ({
    draft,
    actions: [...actionsOf(collection, place, draft, count + i), ...extra],
  }));
  const verdicts = await transact([
    moveHead(place, count, boardings.length),
    ...steps.flatMap((step) => step.actions),
  ]);
  if (!verdicts) return { kind: 'placed', first: count };
  return outcomeOf(verdicts, steps);
}

function moveHead(place: Place, count: number, by: number): Action {
  return {
    Update: {
      TableName: required(env.recordsTable),
      Key: headKey(place),
      UpdateExpression: 'SET #count = :next',
      ConditionExpression: count === 0 ? 'attribute_not_exists(#count)' : '#count = :count',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':next': count + by, ...(count === 0 ? {} : { ':count': count }) },
      // The new length comes with the refusal, so the next attempt needs no read.
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}

/** The record first, then its pointer: `outcomeOf` reads the verdicts in this order. */
function actionsOf<R extends Stored>(
  collection: Collection<R>,
  place: Place,
  draft: Draft<R>,
  position: number,
): Action[] {
  const TableName = required(env.recordsTable);
  const record = recordAt(collection, draft, position);
  const actions: Action[] = [
    {
      Put: {
        TableName,
        Item: { ...recordKey(place, position), ...toAttributes(collection, record) },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    },
  ];
  if (record.external_id !== null) actions.push(putPointer(place, record.external_id, record.id));
  return actions;
}

/** Gives an external id to a record, unless another one has it. */
export const putPointer = (place: Place, externalId: string, id: string): Action => ({
  Put: {
    TableName: required(env.recordsTable),
    Item: { ...pointerKey(place, externalId), id },
    ConditionExpression: 'attribute_not_exists(pk)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  },
});

function outcomeOf<R extends Stored>(
  [head, ...rest]: Verdict[],
  steps: readonly { draft: Draft<R>; actions: readonly Action[] }[],
): Outcome<R> {
  const by = new Map<Draft<R>, string>();
  let settled = false;
  let at = 0;
  for (const { draft, actions } of steps) {
    const [record, ...others] = rest.slice(at, at + actions.length);
    at += actions.length;
    if (head?.kind === 'fine' && record?.kind === 'refused')
      throw new Error('There is a record beyond the end of its collection');
    const pointer = draft.content.external_id === null ? undefined : others.shift();
    // First the extras: a draft that somebody else has placed finds its external id taken, by itself.
    if (others.some((extra) => extra.kind === 'refused')) settled = true;
    else if (pointer?.kind === 'refused') by.set(draft, pointer.item?.id as string);
  }
  if (by.size > 0) return { kind: 'taken', by };
  const count = head?.kind === 'refused' ? ((head.item?.count as number | undefined) ?? 0) : undefined;
  return { kind: 'lost', count, settled };
}
