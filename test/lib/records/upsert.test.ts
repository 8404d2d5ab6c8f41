import { afterEach, describe, expect, test } from 'vitest';
import { toEntry } from '../../../lib/inbox/inboxResources.ts';
import { append } from '../../../lib/records/commitQueue/append.ts';
import type { UpsertEntry } from '../../../lib/records/mergeMessage.ts';
import { newDraft } from '../../../lib/records/recordItem.ts';
import { inAccount } from '../../../lib/records/recordKeys.ts';
import { upsertMany } from '../../../lib/records/upsert/upsert.ts';
import { type Order, orderDraft, orders } from '../../../lib/resources/orders.ts';
import { givenAccount } from '../../support/data/given.ts';
import { anOrder } from '../../support/data/orders.ts';
import { onWire } from '../../support/faults/wire.ts';

let unhook = () => {};
afterEach(() => unhook());

const entry = (more: object) =>
  toEntry('orders', orderDraft().parse(anOrder(more)), {}) as unknown as UpsertEntry<Order>;

describe('upsert', () => {
  test('one that is too large is refused alone', async () => {
    const line = (id: number) => ({
      id: String(id),
      name: '漢'.repeat(255),
      variant_name: '漢'.repeat(255),
      quantity: 1,
      unit_amount: 1,
      total_amount: 1,
      type: 'product',
    });
    const large = entry({ line_items: Array.from({ length: 500 }, (_, i) => line(i)) });
    const results = await upsertMany(inAccount(orders, givenAccount()), [entry({}), large, entry({})]);
    expect(results.map(({ kind }) => kind)).toEqual(['created', 'refused', 'created']);
    expect(results[1]).toMatchObject({ reason: expect.stringContaining('would be larger') });
  });

  test('of large ones, a call has only as many as the database answers in time', async () => {
    const account = givenAccount();
    const line = { type: 'product', name: 'x'.repeat(250), quantity: 1, unit_amount: 1, total_amount: 1 };
    const lines = Array.from({ length: 380 }, (_, i) => ({ ...line, id: `${i}` }));
    // Some 150 KB each.
    const upsert = (number: string) =>
      upsertMany(
        inAccount(orders, account),
        Array.from({ length: 8 }, (_, i) => entry({ external_id: `${i}`, number, line_items: lines })),
      );
    const most: Record<string, number> = {};
    unhook = onWire((call, send) => {
      const { TransactItems, RequestItems } = call.input as {
        TransactItems?: unknown[];
        RequestItems?: Record<string, { Keys: unknown[] }>;
      };
      const things = TransactItems ?? Object.values(RequestItems ?? {})[0]?.Keys;
      most[call.name] = Math.max(most[call.name] ?? 0, things?.length ?? 0);
      return send();
    });
    expect((await upsert('1')).map(({ kind }) => kind)).toEqual(Array(8).fill('created'));
    expect((await upsert('2')).map(({ kind }) => kind)).toEqual(Array(8).fill('updated'));
    // A transaction writes the counter, and of three orders each itself and its external id, for which no deletion is noted.
    expect(most).toMatchObject({ TransactWriteItems: 10, BatchGetItem: 6 });
  });
});

describe('append', () => {
  test('packs as many records into a transaction as its 100 actions allow', async () => {
    const account = givenAccount();
    const transactions: number[] = [];
    unhook = onWire((call, send) => {
      if (call.name === 'TransactWriteItems')
        transactions.push((call.input.TransactItems as unknown[]).length);
      return send();
    });
    const drafts = Array.from({ length: 100 }, () => newDraft(orders, entry({}).content));
    const appended = await append(inAccount(orders, account), drafts);
    expect(transactions).toEqual([99, 99, 5]);
    expect([...appended.values()]).toEqual(
      drafts.map((_, position) => ({ kind: 'committed', position, at: expect.any(String) })),
    );
  });
});
