import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Change as StreamChange } from '../../../infra/local/stream/streamClient.ts';
import { batchesOf } from '../../../lib/concurrency.ts';
import type { ChangeList, ChangeQuery } from '../../../lib/contract/changes.ts';
import { listFeed } from '../../../lib/feed/list.ts';
import type { Access } from '../../../lib/keys/access.ts';
import { scopedTo } from '../../../lib/keys/key.ts';
import { listRecords } from '../../../lib/records/list.ts';
import type { Stored } from '../../../lib/resources/collection.ts';
import { contacts } from '../../../lib/resources/contacts.ts';
import type { ResourceType } from '../../../lib/resources/index.ts';
import { orders } from '../../../lib/resources/orders.ts';
import { Random } from '../../simulation/random.ts';
import { aContact, anOrder, givenAccount, givenContacts, givenOrders } from '../../support/data/given.ts';
import { creations, givenNumbered } from '../../support/data/streamedChanges.ts';
import { index } from '../../support/pipeline/stream.ts';
import { usePipeline } from '../../support/pipeline/usePipeline.ts';

// Followers with the rules of paginators, beside writers and a stream that is late, repeated and out of order.

const pipeline = usePipeline();
type Asked = Pick<ChangeQuery, 'types'>;

type IsLast = (page: ChangeList, asked: number | undefined) => boolean;

/** When a paginator stops asking. */
const rules: Record<string, IsLast> = {
  'an empty page': ({ data }) => data.length === 0,
  'has_more false': ({ pagination }) => !pagination.has_more,
  'the same cursor': ({ pagination }, asked) => pagination.next_after === asked,
};

const keys: { access: Access; query: Asked; types: ResourceType[] }[] = [
  { access: { kind: 'full' }, query: {}, types: ['contact', 'order'] },
  { access: scopedTo(['contacts:read']), query: {}, types: ['contact'] },
  { access: scopedTo(['contacts:read', 'orders:read']), query: { types: ['order.*'] }, types: ['order'] },
];

class Follower {
  readonly copy = new Map<string, Stored>();
  readonly numbers: number[] = [];
  readonly name: string;
  readonly key: (typeof keys)[number];
  private readonly account: string;
  private readonly isLast: IsLast;
  private cursor: number | undefined;

  constructor(account: string, rule: string, key: (typeof keys)[number]) {
    this.account = account;
    this.isLast = rules[rule] as IsLast;
    this.key = key;
    this.name = `stops at ${rule}, ${key.types.join()}`;
  }

  /** One run of the program: from its cursor until its rule says stop. */
  async run(): Promise<void> {
    for (let done = false; !done; ) {
      const asked = this.cursor;
      const { access, query } = this.key;
      const page = await listFeed(
        this.account,
        { ...query, include: 'resource', limit: 20, sort: 'number', after: asked },
        { access, keyId: '' },
      );
      for (const change of page.data) {
        this.numbers.push(change.number);
        const record = change[change.resource.type as 'contact'];
        if (!record) continue;
        expect(record.version).toBeGreaterThanOrEqual(change.resource.version);
        this.copy.set(record.id, record);
      }
      this.cursor = page.pagination.next_after;
      done = this.isLast(page, asked);
    }
  }
}

const versionsMax = 4;
const perType = 12;

const seeds = Array.from({ length: 20 }, (_, seed) => seed);

test.each(seeds)(
  'followers that stop at an empty page, at has_more false or at the same cursor miss nothing: seed %i',
  async (seed) => {
    const { next: random } = new Random(seed);
    const account = givenAccount();
    // Stretches of changes that some keys may not see.
    for (const some of batchesOf(creations(account, 1400, 100_000), 99)) await givenNumbered(some);
    const followers = Object.keys(rules).flatMap((rule) =>
      keys.map((key) => new Follower(account, rule, key)),
    );

    let isWriting = true;
    const drafts = {
      contact: Array.from({ length: perType }, () => aContact()),
      order: Array.from({ length: perType }, () => anOrder()),
    };
    const some = <T>(all: readonly T[]) =>
      all.filter(() => random() < 0.4).map((one) => ({ ...one, note: `${random()}` }));
    const writer = async () => {
      for (let i = 0; i < versionsMax; i++) {
        await givenContacts(account, some(drafts.contact));
        await givenOrders(account, some(drafts.order));
        await sleep(random() * 50);
      }
    };
    /** Tells the changes to the index: some late, some again, some out of order. */
    const indexer = async () => {
      const told: StreamChange[][] = [];
      const late: StreamChange[] = [];
      for (;;) {
        const isEnd = !isWriting;
        const changes = (await pipeline.changes()).get(account) ?? [];
        const batch = isEnd || random() < 0.3 ? late.splice(0) : [];
        for (const change of changes) (!isEnd && random() < 0.2 ? late : batch).push(change);
        if (random() < 0.5) batch.sort(() => random() - 0.5);
        told.push(batch);
        const again = told[Math.floor(random() * told.length)] as StreamChange[];
        for (const one of [batch, again]) if (one.length > 0) expect(await index(one)).toEqual([]);
        if (isEnd && changes.length === 0) return;
        await sleep(random() * 30);
      }
    };
    const indexing = indexer();
    const following = followers.map(async (follower) => {
      while (isWriting) {
        await follower.run();
        await sleep(random() * 40);
      }
    });
    await Promise.all(Array.from({ length: 4 }, writer));
    isWriting = false;
    await indexing;
    await Promise.all(following);

    const page = { limit: 100, offset: 0 };
    const truth: Record<string, Stored[]> = {
      contact: (await listRecords(contacts, account, page)).data,
      order: (await listRecords(orders, account, page)).data,
    };
    const { numbers: all } = await followed(
      new Follower(account, 'has_more false', keys[0] as (typeof keys)[number]),
    );
    expect(all).toEqual(all.map((_, i) => i));
    for (const follower of followers) {
      const { copy, numbers } = await followed(follower);
      expect(new Set(numbers).size, follower.name).toBe(numbers.length);
      const records = follower.key.types.flatMap((type) => truth[type] as Stored[]);
      expect(records.length).toBeGreaterThan(3);
      expect([...copy.values()].sort(byId), follower.name).toEqual(records.sort(byId));
      if (follower.key.types.length === 2) expect(numbers.length, follower.name).toBe(all.length);
    }
  },
);

const byId = (a: Stored, b: Stored) => (a.id < b.id ? -1 : 1);

async function followed(follower: Follower): Promise<Follower> {
  await follower.run();
  return follower;
}
