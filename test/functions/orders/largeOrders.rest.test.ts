import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { getOrder, listOrders, type Order, orders } from '../../../lib/resources/orders.ts';
import { givenAccount, givenKey } from '../../support/data/given.ts';
import { anOrder } from '../../support/data/orders.ts';
import { call } from '../../support/http/api.ts';
import { run } from '../../support/stack/commands.ts';
import { removeFolder, temporaryFolder } from '../../support/stack/stackProcess.ts';

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

/** Some 170 KB in an answer. */
const aLargeOrder = () => {
  const [line] = anOrder().line_items;
  return anOrder({
    subtotal_amount: 2000 * orders.fields.line_items.max,
    total_amount: 2000 * orders.fields.line_items.max,
    line_items: Array.from({ length: orders.fields.line_items.max }, (_, i) => ({
      ...line,
      id: `${i}`,
      name: 'x'.repeat(150),
    })),
  });
};

test('orders of 500 lines are imported, and a page of more than an answer holds says how many fit', async () => {
  const account = givenAccount();
  const { text: key } = await givenKey(account, ['orders:read']);
  const sent = Array.from({ length: 40 }, aLargeOrder);
  const file = join(folder, 'orders.ndjson');
  writeFileSync(file, sent.map((order) => JSON.stringify(order)).join('\n'));
  const { code } = await run('import', ['orders', file, '--account', account], { cwd: folder });
  expect(code).toBe(0);

  // The local database takes a quarter of a second for each megabyte of such a page. So on a very busy machine a call of it may fail for
  // its time: a client asks again, and messages come again when their visibility timeout is over, which is six minutes.
  const page = async (limit: number, offset = 0) => {
    const ask = () => call(listOrders, { key, query: { limit, offset } });
    let answer = await ask();
    for (let tries = 1; answer.status >= 500 && tries < 10; tries++) answer = await ask();
    return answer;
  };
  await expect
    .poll(async () => (await page(1)).body.pagination.total, { timeout: 1_200_000 })
    .toBe(sent.length);

  const refused = await page(100);
  expect(refused.status).toBe(400);
  const [, count] = /^limit must be at most (\d+) for this page: /.exec(refused.body.message) ?? [];
  const fitting = Number(count);
  expect(fitting).toBeGreaterThan(32);
  expect((await page(fitting + 1)).status).toBe(400);

  const all: Order[] = [];
  while (all.length < sent.length) all.push(...(await page(fitting, all.length)).body.data);
  expect(all.map(({ number }) => number).sort()).toEqual(sent.map(({ number }) => number).sort());
  const last = all.at(-1) as Order;
  expect(last.line_items.map(({ id }) => id)).toEqual(
    Array.from({ length: orders.fields.line_items.max }, (_, i) => `${i}`),
  );
  expect((await call(getOrder, { key, params: { orderId: last.id } })).body).toEqual(last);
});
