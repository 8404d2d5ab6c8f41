import { absentOrBelow, present } from '../../dynamodb/expressions.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { write } from '../../dynamodb/transact.ts';
import { badRequest } from '../../errors/apiError.ts';
import { constant } from '../../errors/constant.ts';
import { problemOfNoField } from '../../errors/problem.ts';
import { randomId } from '../../ids.ts';
import { describeError, log } from '../../logs/log.ts';
import { subscriptionKey } from '../model/keys.ts';
import { noSubscription } from '../model/readSubscriptions.ts';

/** As long as the operation may take, so that a crash blocks other tests no longer. */
const leaseMs = 20_000;

/**
 * Runs a test of a subscription, if no other one is running: a slow receiver must occupy only one function.
 * @throws ApiError 400 while another test is under way, 404 when the subscription was deleted just now
 */
export async function asOnlyTest<T>(account: string, id: string, work: () => Promise<T>): Promise<T> {
  const lease = randomId('tst');
  const now = Date.now();
  const lend = webhooks.update(
    subscriptionKey(account, id),
    { test_lease: lease, tested_until: timeOf(now + leaseMs) },
    { if: { pk: present, tested_until: absentOrBelow(timeOf(now)) }, showsItem: true },
  );
  const { refused } = await write(lend);
  if (refused && !refused.item) throw noSubscription(id);
  // If the answer to the first call was lost, its repetition finds what the first call wrote.
  if (refused && refused.item?.test_lease !== lease)
    throw badRequest([
      problemOfNoField(
        constant`A test of this webhook subscription is under way; when it has ended, another one can begin`,
        `A test of this webhook subscription is under way; it ends by ${refused.item?.tested_until}, and then another one can begin`,
      ),
    ]);
  try {
    return await work();
  } finally {
    await release(account, id, lease);
  }
}

const timeOf = (moment: number): string => new Date(moment).toISOString();

/** Its failure does not fail the request: the lease ends by itself. */
async function release(account: string, id: string, lease: string): Promise<void> {
  const end = webhooks.update(
    subscriptionKey(account, id),
    { test_lease: undefined, tested_until: undefined },
    { if: { test_lease: lease } },
  );
  await write(end).catch((error) =>
    log.warn('the end of a test was not noted', { error: describeError(error) }),
  );
}
