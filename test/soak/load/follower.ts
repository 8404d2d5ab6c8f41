import { setTimeout as sleep } from 'node:timers/promises';
import type { Change } from '../../../lib/contract/changes.ts';
import type { Account } from '../client/account.ts';
import { Copy } from '../model/copy.ts';

interface ChangePage {
  data: Change[];
  pagination: { has_more: boolean; next_after: number };
}

const limit = 100;
const pauseMs = 1000;

/** A program that keeps a copy of an account. */
export class Follower {
  readonly copy: Copy;
  private readonly account: Account;

  constructor(account: Account) {
    this.account = account;
    this.copy = new Copy(account);
  }

  /** Follows the feed, also to its end after the signal. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted)
      if (!(await this.readPage())) await sleep(pauseMs, undefined, { signal }).catch(() => {});
  }

  /** Waits until the copy has this many changes, or until nothing new has come for a while. */
  async catchUp(changes: number, limitMs: number): Promise<void> {
    for (let end = Date.now() + limitMs; this.copy.count < changes && Date.now() < end; ) {
      if (await this.readPage()) end = Date.now() + limitMs;
      else await sleep(pauseMs / 4);
    }
    await this.readPage();
  }

  /** @returns whether there is more to read */
  private async readPage(): Promise<boolean> {
    const path = `/changes?after=${this.copy.after}&limit=${limit}`;
    const page = await this.account.read<ChangePage>(path, { kind: 'changes' });
    for (const change of page?.data ?? []) this.copy.take(change);
    return page?.pagination.has_more ?? false;
  }
}
