import type { DynamoDBRecord } from 'aws-lambda';
import { pause } from '../../dynamodb/conflicts.ts';
import { describeError, log } from '../../log.ts';
import { onlyConflicts } from '../../metrics.ts';
import { atMost } from '../sending/atMost.ts';
import { AccountChanges } from './accountChanges.ts';
import { accountOf } from './change.ts';
import { deferChanges } from './deferredChanges.ts';

/** How long an account may commit while others wait for the end of the batch. What is left then is deferred. */
const budgetMs = 100;

/** How long a call may take beyond that. One that takes longer hangs, and nobody waits for it. */
const callMs = 3000;

/** The same for the queue of deferred changes. */
const deferMs = 3000;

/** When the queue does not take what is left, the account goes on after a pause of up to so long. */
const retryPauseMs = 500;

/** All that an invocation may still do after its deadline. */
export const afterDeadlineMs = budgetMs + 2 * callMs + deferMs;

/**
 * Makes events of changes, and of each event a delivery for every subscription to it. An account has a budget of time; its
 * changes that are left then, for whatever reason, are deferred: they go to a queue of their own, so that no account keeps
 * the others waiting.
 * @param deadline epoch milliseconds; what the queue does not take is tried again until then
 * @returns the sequence numbers of the records that have to come again. What of them is done already is not done again
 */
export async function fanOut(records: readonly DynamoDBRecord[], deadline: number): Promise<string[]> {
  const groups = Map.groupBy(records, accountOf);
  const accounts = await Promise.all(
    [...groups].map(([account, group]) => new Share(account, group).work(deadline)),
  );
  const sum = (of: (share: Share) => number) => accounts.reduce((total, share) => total + of(share), 0);
  log.info('fanned out', {
    records: records.length,
    deliveries: sum(({ changes }) => changes.deliveries),
    deferred: sum(({ deferred }) => deferred),
    failed: sum(({ changes }) => changes.left.size),
    ...onlyConflicts(),
  });
  return accounts.flatMap(({ changes }) =>
    [...changes.left].map(({ dynamodb }) => dynamodb?.SequenceNumber as string),
  );
}

/** What one account has in a batch. */
class Share {
  readonly changes: AccountChanges;
  deferred = 0;
  private readonly account: string;

  constructor(account: string, records: readonly DynamoDBRecord[]) {
    this.account = account;
    this.changes = new AccountChanges(account, records);
  }

  async work(deadline: number): Promise<this> {
    for (;;) {
      await this.commit();
      if (this.changes.left.size === 0) break;
      await this.defer();
      if (this.changes.left.size === 0 || Date.now() > deadline) break;
      await pause(retryPauseMs);
    }
    // Whatever is not sent by then, the sweep sends.
    await atMost(callMs, this.changes.sent());
    return this;
  }

  private async commit(): Promise<void> {
    const committing = this.changes.commit(Date.now() + budgetMs).catch((error: unknown) => {
      log.error('changes were not fanned out', { account: this.account, error: describeError(error) });
    });
    await atMost(budgetMs + callMs, committing);
  }

  private async defer(): Promise<void> {
    const deferring = deferChanges([...this.changes.left]);
    const taken = (await atMost(deferMs, deferring)) ?? [];
    for (const change of taken) this.changes.left.delete(change);
    this.deferred += taken.length;
  }
}
