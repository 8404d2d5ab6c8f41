import { readItems } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { type Entry, entriesIn, type Source } from '../../lists/entries.ts';
import { nameOf } from '../../lists/keys.ts';
import type { Delivery } from '../model/delivery.ts';
import { expiryOfLogged } from '../model/kept.ts';
import { deliveryKey } from '../model/keys.ts';
import { deliveryFields } from './fields.ts';

/** The log of a subscription, as the index is maintained from it. */
export class LogSource implements Source {
  readonly account: string;
  readonly subscription: string;
  /** One, because nobody waits for it, and the requests and webhooks of others wait for the database meanwhile. */
  readonly batchesAtOnce = 1;

  constructor(account: string, subscription: string) {
    this.account = account;
    this.subscription = subscription;
  }

  async entriesAt(positions: ReadonlySet<number>): Promise<Map<number, Map<string, Entry>>> {
    const items = await readItems<Delivery>(
      webhooks,
      [...positions].map((position) => deliveryKey(this.account, this.subscription, position)),
    );
    const ref = { account: this.account, type: this.subscription };
    return new Map(
      items.map((item) => {
        const entries = entriesIn(ref, deliveryFields, Number(item.sk), item);
        return [Number(item.sk), new Map(entries.map((entry) => [nameOf(entry.key), entry]))];
      }),
    );
  }

  /** Each delivery in an item is older than the last write of the item, so nobody can read any of them then. */
  expiry(): number {
    return expiryOfLogged(new Date());
  }
}
