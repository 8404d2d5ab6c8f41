import type { Call } from './actor.ts';

/** What an actor does. */
export interface Role {
  name: string;
  run(): Promise<unknown>;
  /** The names of the errors that its work may end with, beside those of calls without an answer. */
  errors?: readonly string[];
  /** Whether its process may die. */
  mayDie?: boolean;
  /** Whether its work is begun again after its death, by another process. */
  isRestarted?: boolean;
}

/** How much a run may have of what would make runs endless. */
export interface Limits {
  /** Deaths, lost answers and conflicts together. */
  faults: number;
  /** How often time passes although a call is under way, or who waits longer goes on first. */
  stalls: number;
  /** How often another actor goes on although the last one could have; without it, any number of times. */
  switches?: number;
}

/** What can happen next. */
export interface Choice {
  kind: 'performs' | 'continues' | 'dies' | 'gets no answer' | 'repeats' | 'meets' | 'arrives late';
  actor: string;
  nth: number;
  cost: Partial<Limits>;
}

/** A call whose sender does not wait for it any more, or has sent it once more: it may take effect at any time, or never. */
export interface LateCall {
  sender: string;
  nth: number;
  call: Call;
}
