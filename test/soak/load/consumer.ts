import { setTimeout as sleep } from 'node:timers/promises';
import { readStackFile } from '../../../infra/local/process/stackFile.ts';
import { OutboxReader } from '../../support/pipeline/outboxReader.ts';
import type { Account } from '../client/account.ts';
import { Versions } from '../model/versions.ts';

const pauseMs = 500;

/** The product, which reads the outbox: all changes of a soak are made by keys, so it has to get every version of every contact. */
export class Consumer {
  private readonly folder: string;
  private readonly versions: ReadonlyMap<string, { account: Account; got: Versions }>;

  /** @param folder the data directory of the stack */
  constructor(folder: string, accounts: readonly Account[]) {
    this.folder = folder;
    this.versions = new Map(accounts.map((account) => [account.name, { account, got: new Versions() }]));
  }

  async consume(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.take();
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Takes what is there. @returns how many changes have yet to come */
  async outstanding(): Promise<number> {
    await this.take();
    return [...this.versions.values()].reduce(
      (sum, { account, got }) => sum + account.records.changes - got.count,
      0,
    );
  }

  /** It has got exactly the versions of each contact. */
  verify(): void {
    for (const { account, got } of this.versions.values())
      for (let row = 0; row < account.records.seen; row++)
        if (!got.areUpTo(row, account.records.versionOf(row)))
          account.report(`the outbox has not had exactly the versions of ${account.records.idOf(row)}`);
  }

  /** After a restart, the queue has another address; while there is none, there is nothing to take. */
  private async take(): Promise<void> {
    const url = readStackFile(this.folder)?.recordsOutboxUrl;
    if (url === undefined) return;
    const reader = new OutboxReader(url);
    await reader.takeAll().catch(() => {});
    for (const { account, resource } of reader.received) {
      const own = this.versions.get(account);
      if (own && resource.type === 'contact')
        own.got.add(own.account.records.rowOf(resource.id), resource.version);
    }
  }
}
