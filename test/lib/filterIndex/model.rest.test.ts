import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import type { ListQuery } from '../../../lib/filterIndex/conditions.ts';
import { listMatching } from '../../../lib/filterIndex/listMatching.ts';
import { inAccount } from '../../../lib/records/recordKeys.ts';
import { type Order, orders } from '../../../lib/resources/orders.ts';
import { deleted, givenAccount } from '../../support/data/given.ts';
import { anOrder, givenOrders } from '../../support/data/orders.ts';
import { allRecords } from '../../support/data/stored.ts';
import { simulateRemoteDatabase } from '../../support/faults/contention.ts';
import { usePipeline } from '../../support/pipeline/usePipeline.ts';

// Random programs of several writers, and filtered lists against a plain array.

const pipeline = usePipeline();
let undo = () => {};
afterEach(() => undo());

const times = [
  '2025-12-31T23:59:59.999Z',
  '2026-01-01T00:00:00.000Z',
  '2026-03-01T09:30:00.000Z',
  '2026-03-01T09:30:00.001Z',
  '2026-03-02T10:00:00.000Z',
];
const contactIds = ['con_000000000000000000000001', 'con_000000000000000000000002'];
const statuses = ['pending', 'confirmed', 'completed', 'cancelled'];

/** The state of an order as its source states it: few values, so that they meet. */
const message = fc.record({
  external_id: fc.integer({ min: 0, max: 150 }).map((n) => `order-${n}`),
  number: fc.constantFrom('A-1', 'A-2', 'A-3'),
  contact_id: fc.constantFrom(null, ...contactIds),
  status: fc.constantFrom(...statuses),
  payment_status: fc.constantFrom('paid', 'unpaid'),
  placed_at: fc.constantFrom(...times),
});
const batch = fc.uniqueArray(message, {
  minLength: 1,
  maxLength: 30,
  selector: ({ external_id }) => external_id,
});
const programs = fc.array(fc.array(batch, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 });

const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const query = fc.record({
  limit: fc.integer({ min: 1, max: 100 }),
  offset: fc.nat({ max: 60 }),
  sort: fc.constantFrom('created_at' as const, '-created_at' as const),
  number: some(fc.constantFrom('A-1', 'A-2', 'A-9')),
  contact_id: some(fc.constantFrom(...contactIds)),
  status: some(fc.subarray([...statuses, 'not_a_status'], { minLength: 1 })),
  payment_status: some(fc.constant(['paid'])),
  placed_since: some(fc.constantFrom(...times)),
  placed_before: some(fc.constantFrom(...times)),
  /** The record to begin behind, and the records whose times are the ends of ranges. */
  behind: some(fc.nat()),
  created: some(fc.tuple(fc.nat(), fc.nat())),
  updated: some(fc.nat()),
});

type AskedQuery = typeof query extends fc.Arbitrary<infer Value> ? Value : never;

/** The filter as a reader of the documentation would write it. */
const isMatch = (
  order: Order,
  { number, contact_id, status, payment_status, ...times }: ListQuery,
): boolean =>
  (number === undefined || order.number === number) &&
  (contact_id === undefined || order.contact_id === contact_id) &&
  (status === undefined || (status as string[]).includes(order.status)) &&
  (payment_status === undefined || (payment_status as string[]).includes(order.payment_status)) &&
  (times.placed_since === undefined || order.placed_at >= (times.placed_since as string)) &&
  (times.placed_before === undefined || order.placed_at < (times.placed_before as string)) &&
  (times.created_since === undefined || order.created_at >= times.created_since) &&
  (times.created_before === undefined || order.created_at < times.created_before) &&
  (times.updated_since === undefined || order.updated_at >= times.updated_since);

function queryOf({ behind, created, updated, ...rest }: AskedQuery, all: readonly Order[]): ListQuery {
  const at = (n: number) => all[n % all.length] as Order;
  return {
    ...rest,
    ...(behind === undefined ? {} : { after: at(behind).id }),
    ...(created
      ? { created_since: at(created[0]).created_at, created_before: at(created[1]).created_at }
      : {}),
    ...(updated === undefined ? {} : { updated_since: at(updated).updated_at }),
  };
}

/** The page of a plain array. @param all also what is deleted, behind which a page may begin */
function expectedPage(asked: ListQuery, all: readonly Order[], gone: ReadonlySet<string>) {
  const ordered = asked.sort === '-created_at' ? all.toReversed() : all;
  const start = asked.after === undefined ? 0 : ordered.findIndex(({ id }) => id === asked.after) + 1;
  const matching = ordered.slice(start).filter((order) => !gone.has(order.id) && isMatch(order, asked));
  const { limit, offset } = asked;
  return {
    data: matching.slice(offset, offset + limit),
    pagination: { limit, offset, total: matching.length },
  };
}

/** The ids in the order of a walk of small pages. */
async function walk(account: string, sort: ListQuery['sort']): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const last = ids.at(-1);
    const asked = { limit: 7, offset: 0, sort, ...(last === undefined ? {} : { after: last }) };
    const { data } = await listMatching(inAccount(orders, account), asked);
    if (data.length === 0) return ids;
    ids.push(...data.map(({ id }) => id));
  }
}

/** Deletes a third of the orders, while others walk the list in both orders: they meet each of the rest once, in order. */
async function deleteBesideWalks(account: string, all: readonly Order[]): Promise<Set<string>> {
  const gone = new Set(all.filter((_, i) => i % 3 === 1).map(({ id }) => id));
  const [forth, back] = await Promise.all([
    walk(account, 'created_at'),
    walk(account, '-created_at'),
    ...[...gone].map((id) => deleted(account, id, 'order')),
  ]);
  const rest = all.map(({ id }) => id).filter((id) => !gone.has(id));
  expect(forth.filter((id) => !gone.has(id))).toEqual(rest);
  expect(back.filter((id) => !gone.has(id))).toEqual(rest.toReversed());
  return gone;
}

test('filtered lists of random programs are those of a plain array, and never show a record that does not match', async () => {
  const property = fc.asyncProperty(
    programs,
    fc.array(query, { minLength: 20, maxLength: 20 }),
    async (writers, queries) => {
      const account = givenAccount();
      undo = simulateRemoteDatabase({ latencyMs: 1 });
      let isWriting = true;
      const writing = Promise.all(
        writers.map(async (batches) => {
          for (const drafts of batches) await givenOrders(account, drafts.map(anOrder));
        }),
      ).finally(() => {
        isWriting = false;
      });
      for (const one of queries) {
        if (!isWriting) break;
        const { behind: _, created: __, updated: ___, ...asked } = one;
        const { data } = await listMatching(inAccount(orders, account), asked);
        for (const order of data) expect(isMatch(order, asked)).toBe(true);
        await pipeline.index();
      }
      await writing;
      await pipeline.index();
      undo();
      const all = await allRecords(orders, account);
      const gone = await deleteBesideWalks(account, all);
      await pipeline.index();
      for (const one of queries) {
        const asked = queryOf(one, all);
        const { data, pagination } = await listMatching(inAccount(orders, account), asked);
        const { next_updated_since: _, ...page } = pagination;
        expect({ data, pagination: page }, JSON.stringify(asked)).toEqual(expectedPage(asked, all, gone));
      }
    },
  );
  await fc.assert(property, { numRuns: 6, endOnFailure: true });
});
