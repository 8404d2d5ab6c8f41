import { expect, test } from 'vitest';
import { ingest } from '../../../lib/inbox/ingest.ts';
import { createRecord } from '../../../lib/records/create/create.ts';
import { readDeleted, readDeletedCount } from '../../../lib/records/deletion/deletedSet.ts';
import { editOf, editsOf } from '../../../lib/records/edits.ts';
import { readById } from '../../../lib/records/get.ts';
import { readCount } from '../../../lib/records/head.ts';
import { type CollectionRef, inAccount, sourceKey } from '../../../lib/records/keys.ts';
import { listRecords, recordsOf } from '../../../lib/records/listByOffset.ts';
import { byKey } from '../../../lib/records/origin.ts';
import { type Item, readRange } from '../../../lib/records/range.ts';
import { readSource } from '../../../lib/records/source.ts';
import { updateRecord } from '../../../lib/records/update.ts';
import { contacts } from '../../../lib/resources/contacts.ts';
import { anOrder, deleted, givenAccount, inAnHour } from '../../support/data/given.ts';
import { isWhole } from '../../support/run/extent.ts';
import { randomOf } from '../../support/run/sample.ts';

// Random histories of a product and a store that both delete: rows that come back under their old id, merges, edits of clients, deletions by
// an operator, orders that name a row, and two queues that repeat, delay and reorder. The store is the real functions; the product does what
// docs/merge.md says.

interface Row {
  source_id: string;
  since: number;
  revision: number;
  note: string | null;
  known: number;
  id?: string;
}

/** What the outbox has of a record: its item, and what the item before had for the product. */
type Told = Item & { id: string; version: number };

/** The items at all positions of a collection. */
const recordsIn = async (ref: CollectionRef) => readRange(recordsOf(ref), 0, await readCount(ref));

const by = { deadline: inAnHour(), origin: byKey('key_1') };

/** A message that is refused comes so often. */
const receivesMax = 5;

class History {
  readonly account = givenAccount();
  readonly deletedIds = new Set<string>();
  private readonly below: (end: number) => number;
  private readonly rows = new Map<string, Row>();
  private readonly pastRows = new Set<string>();
  private readonly goneIds = new Set<string>();
  /** The row that each order names. */
  private readonly orders = new Map<string, { revision: number; row: string }>();
  private readonly inbox: { id: string; body: string; receives: number }[] = [];
  private readonly outbox: Told[] = [];
  private count = 0;

  constructor(name: string) {
    this.below = randomOf(name);
  }

  async run(steps: number): Promise<void> {
    const { insert, edit, remove, again, create, change, erase, order, deliver, hear } = this;
    const all = [insert, edit, edit, remove, again, create, change, change, erase, order];
    const queues = [deliver, hear, deliver, hear];
    for (let i = 0; i < steps; i++)
      await Promise.all([...all, ...queues, ...queues].filter(() => this.below(6) === 0).map((act) => act()));
    while (this.inbox.length + this.outbox.length > 0)
      await Promise.all([this.deliver(true), this.deliver(true), this.hear(true)]);
  }

  /** Compares the product with the store. */
  async check(): Promise<void> {
    const ref = { account: this.account, type: 'contact' } as const;
    const [count, gone] = await Promise.all([readCount(ref), readDeletedCount(ref)]);
    const items = await recordsIn(ref);
    const living = items.filter((item) => item.deleted_at === undefined);
    expect([items.length, items.length - living.length]).toEqual([count, gone]);
    const set = await readDeleted(ref, count, { consistent: true });
    expect(set.select(0, count)).toEqual(items.filter((item) => item.deleted_at).map(({ sk }) => Number(sk)));
    for (const { id } of living) expect(this.deletedIds).not.toContain(id);
    const told = (some: object[]) =>
      some.map((one) => one as Row).map(({ source_id, note }) => `${source_id} ${note ?? null}`);
    expect(told(living).sort()).toEqual(told([...this.rows.values()]).sort());
    const placed = await recordsIn({ account: this.account, type: 'order' });
    expect(placed).toHaveLength(this.orders.size);
    for (const { number, contact_id } of placed) {
      const { row } = this.orders.get(number as string) as { row: string };
      expect(contact_id, `of the order ${number}`).toBe((await readSource(sourceKey(ref, row)))?.id);
    }
    for (const offset of [0, 2]) {
      const { data, pagination } = await listRecords(inAccount(contacts, this.account), {
        limit: 100,
        offset,
      });
      expect(data.map(({ id }) => id)).toEqual(living.slice(offset).map(({ id }) => id));
      expect(pagination.total).toBe(living.length);
    }
  }

  private pick = <T>(from: Iterable<T>): T | undefined => {
    const all = [...from];
    return all[this.below(all.length)];
  };

  private send(said: object, resource = 'contacts'): void {
    const body = JSON.stringify({ account: this.account, resource, ...said });
    this.inbox.push({ id: `m${++this.count}`, body, receives: 0 });
  }

  private state({ known, ...record }: Row): void {
    this.send({ record: { ...record, known_version: known, left_out: 'keep' } });
  }

  private add(source_id: string, more: Partial<Row> = {}): Row {
    const since = ++this.count;
    const row = { source_id, since, revision: since, note: `p${since}`, known: 0, ...more };
    this.rows.set(source_id, row);
    this.state(row);
    return row;
  }

  /** An order of a row, which may be gone, or one that now belongs to another row. */
  private order = () => {
    const row = this.pick([...this.rows.keys(), ...this.pastRows]) ?? 'row 1';
    const number = this.below(2) === 0 ? this.pick(this.orders.keys()) : undefined;
    const stated = { revision: ++this.count, row };
    const source_id = number ?? `order ${this.count}`;
    this.orders.set(source_id, stated);
    const of = { contact_source_id: row, revision: stated.revision };
    this.send(
      { record: { ...anOrder({ external_id: null, number: source_id }), source_id, ...of } },
      'orders',
    );
  };

  private insert = () => this.add(`row ${++this.count}`);

  private again = () => {
    const source_id = this.pick([...this.pastRows].filter((one) => !this.rows.has(one)));
    if (source_id !== undefined) this.add(source_id);
  };

  private edit = () => {
    const row = this.pick(this.rows.values());
    if (!row) return;
    row.revision = ++this.count;
    row.note = `p${row.revision}`;
    this.state(row);
  };

  private remove = () => {
    const row = this.pick(this.rows.values());
    if (!row) return;
    this.rows.delete(row.source_id);
    this.pastRows.add(row.source_id);
    if (row.id) this.goneIds.add(row.id);
    const into = this.below(2) === 0 ? this.pick(this.rows.values()) : undefined;
    const { source_id, id } = row;
    const merged_into = into && { source_id: into.source_id, since: into.since };
    this.send({ deleted: { source_id, id, revision: ++this.count, merged_into } });
  };

  /** The outbox gets a change of a client or an operator. */
  private async tell(id: string, before?: Item): Promise<void> {
    const item = (await readById({ account: this.account, type: 'contact' }, id)) as Told;
    const { source_id, revision } = before ?? item;
    this.outbox.push({ ...item, source_id, revision });
  }

  private create = async () => {
    const content = { ...contacts.blank, note: `c${++this.count}` };
    const { body } = await createRecord(inAccount(contacts, this.account), content, by);
    await this.tell(body.id);
  };

  private async someone(): Promise<Item | undefined> {
    const { data } = await listRecords(inAccount(contacts, this.account), { limit: 100, offset: 0 });
    const found = this.pick(data);
    return found && readById({ account: this.account, type: 'contact' }, found.id);
  }

  private change = async () => {
    const item = await this.someone();
    if (!item) return;
    const change = ({ record }: { record: object }) => ({
      content: { ...record, note: `c${++this.count}` } as never,
    });
    try {
      await updateRecord(inAccount(contacts, this.account), item.id as string, change, by);
      await this.tell(item.id as string);
    } catch (error) {
      if ((error as { status?: number }).status !== 404) throw error;
    }
  };

  private erase = async () => {
    const item = await this.someone();
    if (!item) return;
    const { kind } = await deleted(this.account, item.id as string);
    if (kind !== 'deleted') return;
    this.deletedIds.add(item.id as string);
    await this.tell(item.id as string, item);
  };

  /** The store takes a message, which may come again and in any order. */
  private deliver = async (isLast = false) => {
    const message = this.pick(this.inbox);
    if (!message) return;
    message.receives += 1;
    const [failed] = await ingest([message], Number.POSITIVE_INFINITY);
    const isDone = failed === undefined ? isLast || this.below(4) > 0 : message.receives >= receivesMax;
    const at = this.inbox.indexOf(message);
    if (isDone && at >= 0) this.inbox.splice(at, 1);
  };

  /** The product takes a message. */
  private hear = (isLast = false) => {
    const told = this.pick(this.outbox);
    if (!told) return;
    if (isLast || this.below(4) > 0) this.outbox.splice(this.outbox.indexOf(told), 1);
    const source = told.source_id as string | undefined;
    const own = [...this.rows.values()].find(({ id }) => id === told.id);
    let row = source === undefined ? own : this.rows.get(source);
    if (told.deleted_at !== undefined) {
      this.goneIds.add(told.id);
      row ??= own;
      if (!row || (source !== undefined && row.since > ((told.revision as number | undefined) ?? 0))) return;
      this.rows.delete(row.source_id);
      this.pastRows.add(row.source_id);
      return;
    }
    if (!row && source === undefined && !this.goneIds.has(told.id))
      row = this.add(`row ${++this.count}`, { id: told.id, note: told.note as string, known: told.version });
    if (!row || (source !== undefined && (told.revision as number) < row.since)) return;
    if (editOf(editsOf(told as never), 'note') > row.known)
      row.note = (told.note as string | undefined) ?? null;
    row.known = Math.max(row.known, told.version);
  };
}

test('in every history of a product and a store that both delete, both end with the same, and nothing deleted comes back', async () => {
  for (let i = 0; i < (isWhole ? 40 : 5); i++) {
    const history = new History(`deletions ${i}`);
    await history.run(isWhole ? 80 : 40);
    await history.check();
  }
});
