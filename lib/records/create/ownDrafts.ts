import type { Stored } from '../../resources/collection.ts';
import type { Committable } from './commit.ts';
import type { Draft } from './draft.ts';
import type { DraftOutcome } from './outcomes.ts';

/** The drafts for which a process leads, and what has become of them. */
export interface OwnDrafts<R extends Stored> {
  /** Those that are in no queue and have no outcome yet: they are committed behind a few of the queue. */
  readonly rest: readonly Draft<R>[];
  readonly isDone: boolean;
  /** How long the process goes on for others once it is done: its client waits meanwhile. */
  readonly extraLeadMs: number;
  /** Takes the outcome of any draft of the lead, and keeps that of its own. */
  note(committable: Committable<R>, outcome: DraftOutcome): void;
}

/** A draft in the queue, which is committed like all others. */
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

/** The drafts of a bulk. Only its ticket is in the queue. */
export class Bulk<R extends Stored> implements OwnDrafts<R> {
  readonly outcomes = new Map<Draft<R>, DraftOutcome>();
  /** The next bulk leads then. */
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
