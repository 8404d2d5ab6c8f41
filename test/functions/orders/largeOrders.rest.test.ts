import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { handler } from '../../../functions/orders/listOrders.ts';
import { getOrder, listOrders, type Order, orders } from '../../../lib/resources/orders.ts';
import { givenAccount, givenKey } from '../../support/data/given.ts';
import { anOrder } from '../../support/data/orders.ts';
import { onWire } from '../../support/faults/wire.ts';
import { call } from '../../support/http/api.ts';
import { fullAccess, gatewayEvent, lambdaContext } from '../../support/http/events.ts';
import { asFunction } from '../../support/permissions/asFunction.ts';
import { run } from '../../support/stack/commands.ts';
import { removeFolder, temporaryFolder } from '../../support/stack/stackProcess.ts';

const listHandler = asFunction('listOrders', handler);

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

/** https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const lambdaAnswerBytesMax = 6_291_556;

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

  await expect
    .poll(async () => (await call(listOrders, { key, query: { limit: 1 } })).body.pagination.total, {
      timeout: 1_200_000,
    })
    .toBe(sent.length);

  // The local database takes a quarter of a second for each megabyte of such a page, and far longer on a busy machine. So the function runs
  // here, where neither it nor its reads have a time limit.
  onTestFinished(onWire((_, send) => send(undefined, 600_000)));
  const page = async (limit: number, offset = 0) => {
    const event = gatewayEvent(listOrders, fullAccess(account), { query: { limit, offset } });
    const { statusCode, body } = await listHandler(event, lambdaContext(600_000));
    expect(Buffer.byteLength(body)).toBeLessThan(lambdaAnswerBytesMax);
    return { status: statusCode, body: JSON.parse(body) };
  };

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
