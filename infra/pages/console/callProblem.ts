import type { ShownProblem } from '../../../lib/errors/problem.ts';

/** Why a call was no success. */
export class Problem extends Error {
  /** 0 when no response was received. */
  readonly status: number;
  /** What is wrong with the request, by its fields. */
  readonly problems: readonly ShownProblem[];

  constructor(status: number, message: string, problems: readonly ShownProblem[] = []) {
    super(message);
    this.status = status;
    this.problems = problems;
  }

  /** Whether the call may still have had its effect. */
  get isOpen(): boolean {
    return this.status === 0 || this.status >= 500;
  }
}
