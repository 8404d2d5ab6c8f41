import { expect, test } from 'vitest';
import { byPath, type ClientEdits, edited, editOf, fromPaths } from '../../../lib/records/edits.ts';
import type { State } from '../../../lib/records/item.ts';
import { merge, type Terms } from '../../../lib/records/upsert/merge.ts';
import type { Collection, Content, Stored } from '../../../lib/resources/collection.ts';
import { isWhole } from '../../support/run/extent.ts';
import { randomOf } from '../../support/run/sample.ts';

// Random histories of one contact that clients and a product change, between two queues that delay, repeat and reorder. The store is the
// real functions. The product does what docs/merge.md says.

/** What a history does without, to see that it is needed. */
interface Without {
  /** Older statements are ignored. */
  order?: true;
  /** A statement says what the product knew. */
  knownVersion?: true;
  /** What clients write is noted. */
  edits?: true;
  /** What the product has no column for is left out. */
  leftOut?: true;
  /** The product knows the highest version that it has seen. */
  maximum?: true;
  /** The product takes only edits that it did not know. */
  fresh?: true;
}

/** The fields that the product has columns for, and one that only clients write. */
const columns = ['note', 'address.city', 'custom_fields.points'];
const others = 'custom_fields.own';
const fields = [...columns, others];

/** A collection with these fields alone, so that histories take little time. */
const collection: Pick<Collection<Stored>, 'layout' | 'blank'> = {
  layout: Object.assign({ id: null, version: null, created_at: null, updated_at: null, external_id: null }, {
    note: null,
    address: { city: null },
    custom_fields: 'by name',
  } as const),
  blank: Object.assign({ external_id: null }, { note: null, address: null, custom_fields: {} }),
};

type Values = Map<string, unknown>;

const at = '2026-03-01T09:00:00.000Z';
const contentOf = (values: Values): Content<Stored> => {
  const all = byPath(collection, collection.blank);
  for (const [path, value] of values) all.set(path, value);
  return fromPaths(collection, all);
};

interface Told {
  version: number;
  edits: ClientEdits | undefined;
  data: Values;
}

interface Stated {
  data: Values;
  terms: Terms;
}

/** An edit of a field: by the product with what it knew, by a client with the version that it made. */
interface Edit {
  by: 'client' | 'product';
  path: string;
  value: string;
  version: number;
}

class History {
  private readonly below: (end: number) => number;
  private readonly without: Without;
  private store: State<Stored>;
  private readonly product = {
    values: new Map<string, unknown>(columns.map((path) => [path, null])),
    known: 1,
    revision: 0,
  };
  private readonly inbox: Stated[] = [];
  private readonly outbox: Told[] = [];
  private readonly edits: Edit[] = [];

  constructor(below: (end: number) => number, without: Without) {
    this.below = below;
    this.without = without;
    const record = { external_id: null, id: 'con_1', version: 1, created_at: at, updated_at: at };
    this.store = { record, statedAt: undefined, origin: undefined };
  }

  run(steps: number): this {
    const { client, edit, receive, take } = this;
    const all = [client, edit, receive, take, receive, take];
    for (let i = 0; i < steps; i++) (all[this.below(all.length)] as () => void)();
    while (this.inbox.length + this.outbox.length > 0) for (const go of [receive, take]) go();
    return this;
  }

  /** What the history must not end with; undefined when all is well. */
  problem(): string | undefined {
    const stored = byPath(collection, this.store.record);
    const last = (by: Edit['by'], path: string) =>
      this.edits.findLast((one) => one.by === by && one.path === path);
    if ((stored.get(others) ?? null) !== (last('client', others)?.value ?? null))
      return 'a field without a column is not as the client left it';
    for (const path of columns) {
      const is = stored.get(path) ?? null;
      if (is !== this.product.values.get(path)) return 'the two differ';
      const [client, product] = [last('client', path), last('product', path)];
      const by = this.edits.find(({ value }) => value === is);
      if (client && is !== client.value && (by?.by !== 'product' || by.version < client.version))
        return 'an edit by a client is gone, and nobody knew of it';
      if (product && is !== product.value && (by?.by !== 'client' || by.version <= product.version))
        return 'an edit by the product is gone, and no client made another that it did not know of';
    }
    return undefined;
  }

  private value = () => `${this.edits.length}`;

  private readonly client = (): void => {
    const { record, edits } = this.store;
    const values = byPath(collection, record);
    const version = record.version + 1;
    for (let i = 0; i <= this.below(2); i++) {
      const path = fields[this.below(fields.length)] as string;
      values.set(path, this.value());
      this.edits.push({ by: 'client', path, value: this.value(), version });
      values.set(path, this.edits.at(-1)?.value);
    }
    const after = { ...record, ...fromPaths(collection, values), version };
    this.store = {
      ...this.store,
      record: after,
      edits: this.without.edits ? edits : edited(collection, edits, [record, after], { version, at }),
    };
    this.outbox.push({ version, edits: this.store.edits, data: byPath(collection, after) });
  };

  private readonly edit = (): void => {
    const { product } = this;
    const path = columns[this.below(columns.length)] as string;
    this.edits.push({ by: 'product', path, value: this.value(), version: product.known });
    product.values.set(path, this.edits.at(-1)?.value);
    product.revision += 1;
    const terms: Terms = {
      ...(this.without.knownVersion ? {} : { knownVersion: product.known }),
      ...(this.without.order ? {} : { revision: product.revision }),
      ...(this.without.leftOut ? {} : { named: new Set(columns) }),
    };
    this.inbox.push({ data: new Map(product.values), terms });
  };

  /** The store takes a statement. */
  private readonly receive = (): void => {
    const message = this.from(this.inbox);
    if (!message) return;
    const { data, terms } = message;
    const merged = merge(collection, this.store, { content: contentOf(data), statedAt: null, terms });
    if (!merged) return;
    const { record, revision = 0 } = this.store;
    const after = { ...record, ...merged.content };
    const isSame = JSON.stringify(after) === JSON.stringify(record);
    this.store = {
      ...this.store,
      record: { ...after, version: record.version + (isSame ? 0 : 1) },
      ...(terms.revision === undefined ? {} : { revision: Math.max(revision, terms.revision) }),
    };
  };

  /** The product takes what it is told: the fields whose edit it did not know. */
  private readonly take = (): void => {
    const message = this.from(this.outbox);
    if (!message) return;
    const { product, without } = this;
    for (const path of columns)
      if (editOf(message.edits, path) > (without.fresh ? 0 : product.known))
        product.values.set(path, message.data.get(path) ?? null);
    product.known = without.maximum ? message.version : Math.max(product.known, message.version);
  };

  /** A message of a queue, which may come again and in any order. */
  private from<Message>(queue: Message[]): Message | undefined {
    const i = this.below(queue.length);
    const message = queue[i];
    if (this.below(4) > 0) queue.splice(i, 1);
    return message;
  }
}

const problemOf = (name: string, without: Without = {}, steps = 80): string | undefined =>
  new History(randomOf(name), without).run(steps).problem();

const count = isWhole ? 50_000 : 2_000;

test('in every history of clients and a product, both end with the same, and no edit is gone but by the rules', () => {
  for (let i = 0; i < count; i++) {
    const problem = problemOf(`history ${i}`);
    if (problem !== undefined) expect.fail(`history ${i}: ${problem}`);
  }
});

test.each<[string, Without]>([
  ['the order of statements', { order: true }],
  ['what the product knew', { knownVersion: true }],
  ['what clients have written', { edits: true }],
  ['fields that a statement leaves out', { leftOut: true }],
  ['the highest version that the product has seen', { maximum: true }],
  ['edits that the product knew already', { fresh: true }],
])('without a look at %s, a history is found in which they do not', (name, without) => {
  let found: string | undefined;
  for (let i = 0; found === undefined && i < count; i++) found = problemOf(`${name} ${i}`, without);
  expect(found).toBeDefined();
});
