import type { DynamoDBRecord } from 'aws-lambda';
import { isTransient, pause } from '../dynamodb/conflicts.ts';
import { transact } from '../dynamodb/transact.ts';
import { noteConflict } from '../metrics.ts';
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
  /** The changes that have no number yet. */
  readonly left: Set<DynamoDBRecord>;
  /** How many changes got their number here. */
  numbered = 0;

  constructor(account: string, records: readonly DynamoDBRecord[]) {
    this.account = account;
    this.left = new Set(records);
  }

  /**
   * Appends as many changes as there is time for; `left` has the others. A change that has a number does not get another one.
   * @param until epoch milliseconds; conflicts, and errors that may pass, are retried until then
   * @throws Error why changes are left, unless the time was over; all changes that can be read are appended then
   */
  async append(until: number): Promise<void> {
    let { pending, unreadable } = this.read();
    for (let conflicts = 0; pending.length > 0 && Date.now() <= until; ) {
      try {
        const done = new Set(await this.appendPage(pending.slice(0, pageMax)));
        pending = pending.filter((change) => !done.has(change));
        for (const { record } of done) this.left.delete(record);
        conflicts = done.size > 0 ? 0 : conflicts + 1;
        if (conflicts > 0) await pause(Math.min(conflictPauseMaxMs, conflictPauseMs * 2 ** (conflicts - 1)));
      } catch (error) {
        if (!isTransient(error) || Date.now() > until) throw error;
        await pause(passingPauseMs);
      }
    }
    if (unreadable !== undefined && pending.length === 0) throw unreadable;
  }

  /**
   * The changes that can be read, in their order. Later versions of a record do not wait for one that cannot be read: it may never
   * become readable.
   */
  private read(): { pending: PendingChange[]; unreadable: unknown } {
    let unreadable: unknown;
    const readable = [...this.left].flatMap((record) => {
      try {
        const change = pendingChangeOf(record);
        if (change) return [change];
        this.left.delete(record);
      } catch (error) {
        unreadable ??= error;
      }
      return [];
    });
    return { pending: inVersionOrder(readable), unreadable };
  }

  /** Appends some changes as one page. @returns those that have a number now; none after a conflict */
  private async appendPage(changes: readonly PendingChange[]): Promise<PendingChange[]> {
    const state = await FeedState.read(this.account, changes);
    const missing = state.withoutNumber(changes);
    const page = state.pack(missing);
    if (page.length > 0 && (await transact(state.append(page, new Date())))) {
      noteConflict();
      return [];
    }
    this.numbered += page.length;
    const waiting = new Set(missing.slice(page.length));
    return changes.filter((change) => !waiting.has(change));
  }
}
