import { absent } from '../../dynamodb/expressions.ts';
import { storeAnswer } from '../../dynamodb/idempotency.ts';
import { packTransaction } from '../../dynamodb/packTransaction.ts';
import { records } from '../../dynamodb/tables.ts';
import { type Action, transact, type Verdict } from '../../dynamodb/transact.ts';
import type { Stored } from '../../resources/collection.ts';
import { type Counter, type Lease, toCounter } from '../counter.ts';
import { edited } from '../edits.ts';
import { bytesOf, type CommitPoint, type Draft, latest, recordAt, toAttributes } from '../recordItem.ts';
import {
  type AccountCollection,
  type CollectionRef,
  counterKey,
  externalNoteKey,
  pointerKey,
  recordKey,
} from '../recordKeys.ts';
import { isOfClient } from '../recordOrigin.ts';
import { asRead, putSource } from '../source.ts';
import { type DraftOutcome, outcomeAction } from './queue.ts';

/** A draft to commit. A draft from the queue has a ticket, and its transaction also writes the outcome of that ticket. */
export interface Committable<R extends Stored> {
  draft: Draft<R>;
  ticket?: string;
}

/**
 * The result of an attempt to append drafts.
 * committed: all drafts have positions, which start at `first`. `at` is the time of the commit.
 * refused: some drafts can never be committed, and `outcomes` says why. Nothing was written.
 * lost: another process was faster or was writing the same items. Nothing was written. `counter` is the new one, if it is known. The drafts in
 * `finished` were committed or withdrawn in the meantime, so their tickets have outcomes.
 */
export type CommitOutcome<R extends Stored> =
  | { kind: 'committed'; first: number; at: string }
  | { kind: 'refused'; outcomes: ReadonlyMap<Draft<R>, DraftOutcome> }
  | { kind: 'lost'; counter: Counter | undefined; finished: Set<Draft<R>> };

/** One of the actions that commit a draft. `part` tells what it means if the condition of the action fails. */
interface Step<R extends Stored> {
  draft: Draft<R>;
  part: 'record' | 'pointer' | 'name' | 'answer' | 'outcome';
  action: Action;
}

/** Counts the actions that commit a draft, except the one for its outcome. */
const actionsFor = (draft: Draft<Stored>): number =>
  1 +
  (draft.content.external_id === null ? 0 : 1) +
  (draft.sourceId !== undefined || hasNoteCheck(draft) ? 1 : 0) +
  (draft.once === undefined ? 0 : 1);

/**
 * Appends drafts to a collection if its counter is still the given one. One transaction moves the counter and puts every record at its position.
 * Positions therefore have no gaps, and the count is the next position. Times grow with positions, even if the clocks of two processes differ.
 * @param lease is written with the counter if the committing process leads
 */
export async function commitAt<R extends Stored>(
  ref: AccountCollection<R>,
  counter: Counter,
  entries: readonly Committable<R>[],
  lease?: Lease,
): Promise<CommitOutcome<R>> {
  const at = latest(counter.at, new Date().toISOString());
  let count = counter.count;
  const steps = entries.flatMap(({ draft, ticket }): Step<R>[] => {
    const point = { position: count++, at };
    const ofDraft = stepsOf(ref, draft, point);
    if (ticket === undefined) return ofDraft;
    const action = outcomeAction(ref, ticket, { kind: 'committed', ...point, together: entries.length });
    return [...ofDraft, { draft, part: 'outcome', action }];
  });
  const { refused } = await transact([
    advanceCounter(ref, counter.count, { count, at, lease }),
    ...steps.map(({ action }) => action),
  ]);
  return refused ? outcomeOf(refused, steps) : { kind: 'committed', first: counter.count, at };
}

/** @param count the count that the collection must have */
const advanceCounter = (ref: CollectionRef, count: number, { lease, ...next }: Counter): Action =>
  records.update(
    counterKey(ref),
    {
      ...next,
      ...(lease ? { leader: lease.leader, leads_until: lease.until, wait_ms: lease.waitMs } : {}),
    },
    // The refusal returns the new counter, so the next attempt needs no read.
    { if: { count: count === 0 ? absent : count }, showsItem: true },
  );

function stepsOf<R extends Stored>(
  ref: AccountCollection<R>,
  draft: Draft<R>,
  point: CommitPoint,
): Step<R>[] {
  const { collection } = ref;
  const record = recordAt(collection, draft, point);
  const { once } = draft;
  const put = records.put(
    {
      ...recordKey(ref, point.position),
      ...toAttributes(collection, {
        ...draft,
        record,
        edits: isOfClient(draft.origin)
          ? edited(collection, undefined, [collection.blank, record], { version: 1, at: point.at })
          : undefined,
      }),
      // A deletion uses this name to find the kept response.
      ...(once === undefined ? {} : { kept_answer: once.name }),
    },
    { if: { pk: absent } },
  );
  const { external_id, id } = record;
  const step = (part: Step<R>['part'], action: Action): Step<R> => ({ draft, part, action });
  return [
    step('record', put),
    ...(external_id === null ? [] : [step('pointer', putPointer(ref, external_id, id))]),
    ...nameActions(ref, draft, id).map((action) => step('name', action)),
    ...storeAnswer(records, ref.account, once, record).map((action) => step('answer', action)),
  ];
}

/** Returns the actions that refuse the commit if the record's name was deleted after its item was read. */
function nameActions(ref: CollectionRef, draft: Draft<Stored>, id: string): Action[] {
  const { sourceId, content, nameItem } = draft;
  if (sourceId !== undefined) return [putSource(ref, sourceId, id, nameItem)];
  const key = hasNoteCheck(draft) && externalNoteKey(ref, content.external_id as string);
  return key ? [records.check(key, asRead(nameItem))] : [];
}

/** Returns whether the commit checks the note at the draft's external id. The functions of clients lack the right to it. */
export const hasNoteCheck = ({ sourceId, content, origin }: Draft<Stored>): boolean =>
  sourceId === undefined && origin?.kind === 'product' && content.external_id !== null;

/** Assigns an external id to a record, unless another record has it. */
export const putPointer = (ref: CollectionRef, externalId: string, id: string): Action =>
  records.put({ ...pointerKey(ref, externalId), id }, { if: { pk: absent }, showsItem: true });

function outcomeOf<R extends Stored>(
  [counter, ...rest]: Verdict[],
  steps: readonly Step<R>[],
): CommitOutcome<R> {
  const refused = (part: Step<R>['part']) =>
    steps.flatMap((step, i) => {
      const verdict = rest[i];
      return step.part === part && verdict?.kind === 'refused'
        ? [{ draft: step.draft, item: verdict.item }]
        : [];
    });
  // A draft that was committed in the meantime meets its own kept response and its own external id. A repeated request meets the external id of
  // its first effect. Therefore `finished` rules out `repeated`, and both rule out `taken`.
  const finished = new Set(refused('outcome').map(({ draft }) => draft));
  const repeated = new Set(refused('answer').flatMap(({ draft }) => (finished.has(draft) ? [] : [draft])));
  // While another transaction writes the response or the outcome of a draft, nobody knows yet which of these results applies.
  const unsure = new Set(
    steps.flatMap(({ draft, part }, i) =>
      (part === 'answer' || part === 'outcome') && rest[i]?.kind === 'contended' ? [draft] : [],
    ),
  );
  const outcomes = new Map<Draft<R>, DraftOutcome>();
  for (const { draft, item } of [...refused('pointer'), ...refused('name')])
    if (!finished.has(draft) && !unsure.has(draft))
      outcomes.set(draft, { kind: 'taken', by: item?.id as string });
  for (const draft of repeated) outcomes.set(draft, { kind: 'repeated' });
  if (outcomes.size > 0) return { kind: 'refused', outcomes };
  const found = counter?.kind === 'refused' ? toCounter(counter.item) : undefined;
  return { kind: 'lost', counter: found, finished };
}

/**
 * Returns the drafts of the next transaction, from the front. If two drafts share an external id or a request, it takes only the first. The
 * next transaction refuses the other.
 */
export const packDrafts = <R extends Stored>(entries: readonly Committable<R>[]): Committable<R>[] =>
  packTransaction(entries, {
    // One action moves the counter.
    commonActions: 1,
    // A draft from the queue needs one more action, for its outcome.
    actionsOf: ({ draft, ticket }) => actionsFor(draft as Draft<Stored>) + (ticket === undefined ? 0 : 1),
    bytesOf: ({ draft }) => bytesOf(draft as Draft<Stored>),
    uniqueNamesOf: ({ draft }) => namesOf(draft as Draft<Stored>),
  });

const namesOf = ({ content, sourceId, once }: Draft<Stored>): string[] => [
  ...(content.external_id === null ? [] : [`external ${content.external_id}`]),
  ...(sourceId === undefined ? [] : [`source ${sourceId}`]),
  ...(once === undefined ? [] : [`request ${once.name}`]),
];

/** The drafts for which a process leads, and their outcomes. */
export interface OwnDrafts<R extends Stored> {
  /** The drafts that are in no queue and have no outcome yet. The leader commits them after a few drafts of the queue. */
  readonly rest: readonly Draft<R>[];
  readonly isDone: boolean;
  /** How long the process continues to lead for others after its own drafts are done. Its client waits during this time. */
  readonly extraLeadMs: number;
  /** Takes the outcome of any draft that the leader commits, and keeps the outcomes of its own drafts. */
  note(committable: Committable<R>, outcome: DraftOutcome): void;
}

/** A draft in the queue. The leader commits it like all others. */
export class QueuedDraft<R extends Stored> implements OwnDrafts<R> {
  readonly rest = [];
  readonly extraLeadMs = 40;
  outcome: DraftOutcome | undefined;
  private readonly ticket: string;

  constructor(ticket: string) {
    this.ticket = ticket;
  }

  get isDone(): boolean {
    return this.outcome !== undefined;
  }

  note({ ticket }: Committable<R>, outcome: DraftOutcome): void {
    if (ticket === this.ticket) this.outcome = outcome;
  }
}

/** Pending creates of a bulk. Only the ticket of the bulk is in the queue. */
export class Bulk<R extends Stored> implements OwnDrafts<R> {
  readonly outcomes = new Map<Draft<R>, DraftOutcome>();
  /** The next bulk takes over at once. */
  readonly extraLeadMs = 0;
  rest: readonly Draft<R>[];

  constructor(drafts: readonly Draft<R>[]) {
    this.rest = drafts;
  }

  get isDone(): boolean {
    return this.rest.length === 0;
  }

  note({ ticket, draft }: Committable<R>, outcome: DraftOutcome): void {
    if (ticket === undefined) this.noteAll(new Map([[draft, outcome]]));
  }

  noteAll(outcomes: ReadonlyMap<Draft<R>, DraftOutcome>): void {
    for (const [draft, outcome] of outcomes) this.outcomes.set(draft, outcome);
    this.rest = this.rest.filter((draft) => !outcomes.has(draft));
  }
}
