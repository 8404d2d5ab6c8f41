import { keepAnswer } from '../../dynamodb/idempotency.ts';
import { type Action, transact, type Verdict } from '../../dynamodb/transact.ts';
import { env, required } from '../../env.ts';
import type { Collection, Stored } from '../collection.ts';
import { toAttributes } from '../item.ts';
import { headKey, type Place, pointerKey, recordKey } from '../keys.ts';
import { type Draft, type Placed, recordAt } from './draft.ts';

/** A draft on its way to a position, with what else has to be written in the same transaction when it is placed. */
export interface Placement<R extends Stored> {
  draft: Draft<R>;
  extra?: (placed: Placed) => readonly Action[];
}

/**
 * What became of an attempt to append drafts.
 * placed: all have their positions, from `first` on, at that time.
 * refused: some can never be placed; nothing was written. `taken` have an external id that belongs to the record with
 * that id, `repeated` come from requests that have been answered before.
 * lost: somebody else was faster, or at the same items; nothing was written. `count` is the new length, if it is known;
 * `settled` says that some drafts have been placed or taken back meanwhile, which their extras found out.
 */
export type Outcome<R extends Stored> =
  | { kind: 'placed'; first: number; at: string }
  | { kind: 'refused'; taken: Map<Draft<R>, string>; repeated: Set<Draft<R>> }
  | { kind: 'lost'; count: number | undefined; settled: boolean };

/** One action of those that place a draft, and what a refusal of it means. */
interface Step<R extends Stored> {
  draft: Draft<R>;
  part: 'record' | 'pointer' | 'answer' | 'extra';
  action: Action;
}

/** How many actions it takes to place a draft, without its extras. */
export const actionsFor = ({ content, once }: Draft<Stored>): number =>
  1 + (content.external_id === null ? 0 : 1) + (once === undefined ? 0 : 1);

/**
 * Appends drafts to a collection that is believed to have `count` records: one transaction that moves the head and puts
 * every record at its position, so that positions have no holes and the head is the exact total.
 */
export async function placeAt<R extends Stored>(
  collection: Collection<R>,
  account: string,
  count: number,
  placements: readonly Placement<R>[],
): Promise<Outcome<R>> {
  const place = { account, type: collection.type };
  const at = new Date().toISOString();
  const steps = placements.flatMap((placement, i) =>
    stepsOf(collection, place, placement, { position: count + i, at }),
  );
  const verdicts = await transact([
    moveHead(place, count, placements.length),
    ...steps.map(({ action }) => action),
  ]);
  return verdicts ? outcomeOf(verdicts, steps) : { kind: 'placed', first: count, at };
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

function stepsOf<R extends Stored>(
  collection: Collection<R>,
  place: Place,
  { draft, extra = () => [] }: Placement<R>,
  placed: Placed,
): Step<R>[] {
  const record = recordAt(collection, draft, placed);
  const put: Action = {
    Put: {
      TableName: required(env.recordsTable),
      Item: {
        ...recordKey(place, placed.position),
        ...toAttributes(collection, { record, statedAt: draft.statedAt }),
      },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
  const { external_id, id } = record;
  const { once } = draft;
  const step = (part: Step<R>['part'], action: Action): Step<R> => ({ draft, part, action });
  return [
    step('record', put),
    ...(external_id === null ? [] : [step('pointer', putPointer(place, external_id, id))]),
    ...keepAnswer(required(env.recordsTable), place.account, once, record).map((action) =>
      step('answer', action),
    ),
    ...extra(placed).map((action) => step('extra', action)),
  ];
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

function outcomeOf<R extends Stored>([head, ...rest]: Verdict[], steps: readonly Step<R>[]): Outcome<R> {
  const refused = (part: Step<R>['part']) =>
    steps.flatMap((step, i) => {
      const verdict = rest[i];
      return step.part === part && verdict?.kind === 'refused'
        ? [{ draft: step.draft, item: verdict.item }]
        : [];
    });
  // A draft that has been placed meanwhile finds its own answer, and its external id taken by itself; a repeated
  // request finds the external id taken by what it did the first time. So each rules out those after it.
  const settled = new Set(refused('extra').map(({ draft }) => draft));
  const repeated = new Set(refused('answer').flatMap(({ draft }) => (settled.has(draft) ? [] : [draft])));
  // And while somebody is at its answer or its fate, nobody knows whether it is one of these.
  const unsure = new Set(
    steps.flatMap(({ draft, part }, i) =>
      part !== 'record' && part !== 'pointer' && rest[i]?.kind === 'contended' ? [draft] : [],
    ),
  );
  const taken = refused('pointer').filter(
    ({ draft }) => !settled.has(draft) && !repeated.has(draft) && !unsure.has(draft),
  );
  if (taken.length + repeated.size > 0) {
    const by = taken.map(({ draft, item }) => [draft, item?.id as string] as const);
    return { kind: 'refused', taken: new Map(by), repeated };
  }
  const count = head?.kind === 'refused' ? ((head.item?.count as number | undefined) ?? 0) : undefined;
  return { kind: 'lost', count, settled: settled.size > 0 };
}
