import { isTransient, pause } from '../dynamodb/conflicts.ts';
import { transact } from '../dynamodb/transact.ts';
import { noteConflict } from '../logs/metrics.ts';
import type { Streamed } from '../records/streamed.ts';
import { FeedState } from './feedState.ts';
import { pageMax } from './keys.ts';
import { inVersionOrder, type PendingChange, pendingChangeOf } from './pendingChange.ts';

/** The pause before the first retry after a conflict; it doubles with each further one, up to the maximum. */
const conflictPauseMs = 20;
const conflictPauseMaxMs = 1000;

/** The pause before a retry when the database is busy or out of reach. */
const passingPauseMs = 500;

/** Changes of one account, until each has a number in the account's feed. */
export class AccountFeed {
  readonly account: string;
  /** The changes that have no number yet, those of each record in the order of versions. */
  left: readonly PendingChange[];
  /** How many changes got their number here. */
  numbered = 0;

  constructor(account: string, changes: readonly Streamed[]) {
    this.account = account;
    this.left = inVersionOrder(changes.map(pendingChangeOf));
  }

  /**
   * Appends as many changes as there is time for; `left` has the others. A change that has a number does not get another one.
   * @param until epoch milliseconds; conflicts, and errors that may pass, are retried until then
   */
  async append(until: number): Promise<void> {
    for (let conflicts = 0; this.left.length > 0 && Date.now() <= until; ) {
      try {
        const done = new Set(await this.appendPage(this.left.slice(0, pageMax)));
        this.left = this.left.filter((change) => !done.has(change));
        conflicts = done.size > 0 ? 0 : conflicts + 1;
        if (conflicts > 0) await pause(Math.min(conflictPauseMaxMs, conflictPauseMs * 2 ** (conflicts - 1)));
      } catch (error) {
        if (!isTransient(error) || Date.now() > until) throw error;
        await pause(passingPauseMs);
      }
    }
  }

  /** Appends some changes as one page. @returns those that have a number now; none after a conflict */
  private async appendPage(changes: readonly PendingChange[]): Promise<PendingChange[]> {
    const state = await FeedState.read(this.account, changes);
    const missing = state.withoutNumber(changes);
    const page = state.pack(missing);
    if (page.length > 0 && !(await transact(state.append(page, new Date()))).committed) {
      noteConflict();
      return [];
    }
    this.numbered += page.length;
    const waiting = new Set(missing.slice(page.length));
    return changes.filter((change) => !waiting.has(change));
  }
}
