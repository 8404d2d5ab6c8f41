import type { Change } from '../../../lib/contract/changes.ts';
import type { Account } from '../client/account.ts';
import { Versions } from './versions.ts';

/** A copy of an account that follows its feed: which version of which contact it has. */
export class Copy {
  private readonly account: Account;
  private readonly versions = new Versions();
  /** The number of the latest change. */
  after = -1;

  constructor(account: Account) {
    this.account = account;
  }

  /** Whether it has exactly the versions up to this one. */
  has = (row: number, version: number): boolean => this.versions.areUpTo(row, version);

  /** How many changes of contacts it has got. */
  get count(): number {
    return this.versions.count;
  }

  /** Takes the next change. Numbers have no gaps, and the versions of a contact are in order. */
  take({ number, id, type, resource }: Change): void {
    const { account, after } = this;
    if (number !== after + 1) account.report(`change ${number} of the feed comes after change ${after}`);
    this.after = number;
    if (resource.type !== 'contact') return;
    const row = account.records.rowOf(resource.id);
    if (!this.has(row, resource.version - 1))
      account.report(
        `change ${number} is version ${resource.version} of ${resource.id}, which is not the next one`,
      );
    if (type !== (resource.version === 1 ? 'contact.created' : 'contact.updated'))
      account.report(`change ${number} is ${type} of version ${resource.version}`);
    this.versions.add(row, resource.version);
    account.report(account.events.wrongId(row, resource.version, id));
  }
}
