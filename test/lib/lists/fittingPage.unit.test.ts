import { expect, test } from 'vitest';
import { fittingPage } from '../../../lib/lists/fittingPage.ts';
import { answerBytesOf } from '../../../lib/records/item.ts';
import { type Order, orders } from '../../../lib/resources/orders.ts';

/** The most bytes that a Lambda may answer. */
const lambdaBytesMax = 6_291_556;

/** Quotes take two bytes in an answer, and other scripts three. */
test.each(['x', '"', '漢'])(
  'a page of the largest orders, of %s, says how many of them fit into an answer',
  (one) => {
    const note = one.repeat(
      Math.floor(((orders.bytesMax as number) - 100) / (answerBytesOf(one) - answerBytesOf(''))),
    );
    const order = { note } as Order;
    expect(answerBytesOf(order)).toBeLessThanOrEqual(orders.bytesMax as number);
    const pageOf = (limit: number) => ({
      data: Array<Order>(limit).fill(order),
      pagination: { limit, offset: 0, total: 100 },
    });
    const fitting = Math.floor(6_200_000 / answerBytesOf(order));
    expect(() => fittingPage(orders, pageOf(100))).toThrow(`limit must be at most ${fitting} for this page`);
    expect(() => fittingPage(orders, pageOf(fitting + 1))).toThrow(`limit must be at most ${fitting}`);
    expect(answerBytesOf(fittingPage(orders, pageOf(fitting)))).toBeLessThan(lambdaBytesMax);
  },
);
