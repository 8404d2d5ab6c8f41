import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { readStackFile } from '../../../infra/local/process/stackFile.ts';
import { OutboxReader } from '../../support/pipeline/outboxReader.ts';
import { root } from '../../support/stack/stackProcess.ts';
import type { Account } from '../client/account.ts';
import { contentOf } from '../model/content.ts';
import { Versions } from '../model/versions.ts';

const pauseMs = 500;

const statements = readFileSync(join(root, 'test', 'product', 'sqlite.sql'), 'utf8');

/**
 * The example product, which reads the outbox: all changes of a soak are made by keys, so it has to get every version of every contact,
 * and its own contacts end as theirs.
 */
export class Consumer {
  private readonly folder: string;
  private readonly database = new DatabaseSync(':memory:');
  private readonly versions: ReadonlyMap<string, { account: Account; got: Versions }>;

  /** @param folder the data directory of the stack */
  constructor(folder: string, accounts: readonly Account[]) {
    this.folder = folder;
    this.database.exec(statements);
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

  /** It has got exactly the versions of each contact, and its own contacts are the same. */
  verify(): void {
    const find = this.database.prepare('SELECT email, tags, note FROM contacts WHERE api_id = ?');
    for (const { account, got } of this.versions.values())
      for (let row = 0; row < account.records.seen; row++) {
        const { id, version, serial, revision } = account.records.known(row);
        if (!got.areUpTo(row, version))
          account.report(`the outbox has not had exactly the versions of ${id}`);
        const { email, tags, note } = contentOf(serial, revision);
        const own = { ...find.get(id) };
        if (version > 0 && !isDeepStrictEqual(own, { email, tags: JSON.stringify(tags), note }))
          account.report(`the product has of ${id} what no client wrote last: ${JSON.stringify(own)}`);
      }
    this.database.close();
  }

  /** After a restart, the queue has another address; while there is none, there is nothing to take. */
  private async take(): Promise<void> {
    const url = readStackFile(this.folder)?.recordsOutboxUrl;
    if (url === undefined) return;
    const reader = new OutboxReader(url);
    await reader.takeAll().catch(() => {});
    const take = this.database.prepare('INSERT INTO api_received VALUES (?)');
    for (const message of reader.received) {
      const { account, resource } = message;
      take.run(JSON.stringify(message));
      const own = this.versions.get(account);
      if (own && resource.type === 'contact')
        own.got.add(own.account.records.rowOf(resource.id), resource.version);
    }
  }
}
