import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import { beforeEach, expect, test, vi } from 'vitest';
import { handler } from '../../../functions/pipeline/summarizeUsage.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { env, required } from '../../../lib/env.ts';
import { randomId } from '../../../lib/ids.ts';
import { log } from '../../../lib/logs/log.ts';
import { hourItems } from '../../../lib/usage/readUse.ts';
import { summarizeUsage } from '../../../lib/usage/summary/summarize.ts';
import { usageOf } from '../../../lib/usage/usage.ts';
import { dayMs, dayOf, startOf, usePartition } from '../../../lib/usage/usageKeys.ts';
import { givenAccount } from '../../support/data/given.ts';
import { lambdaContext } from '../../support/http/events.ts';
import { asFunction } from '../../support/permissions/asFunction.ts';
import { useDivertedLog } from '../../support/run/logLines.ts';
import { accessLine, countRequests, logsEvent } from '../../support/usage/logs.ts';

useDivertedLog();

const remove = (Key: { pk: string; sk: string }) =>
  dynamodb().send(new DeleteCommand({ TableName: required(env.usageTable), Key }));

/** Each test begins as a new stage does. */
beforeEach(() => remove({ pk: 'summary#days', sk: 'progress' }));

const now = Date.now();
const day = dayOf(now - 3 * dayMs);
const start = startOf(day);

/** A key with 5 requests of that day. */
async function givenRequests() {
  const [account, key] = [givenAccount(), randomId('key')];
  for (const [hour, status, ms] of [
    [0, 200, 10],
    [0, 404, 20],
    [13, 200, 30],
    [23, 200, 50],
    [23, 500, 70],
  ] as const)
    await countRequests(
      logsEvent([accessLine({ account, key, at: new Date(start + hour * 3_600_000), status, ms })]),
      lambdaContext(60_000),
    );
  return { account, key };
}

/** The counts of the day, as they are read some days later. */
async function countsOf({ account, key }: { account: string; key: string }, daysLater: number) {
  const { groups } = await usageOf(
    account,
    {
      from: new Date(start).toISOString(),
      to: new Date(start + dayMs).toISOString(),
      resolution: 'day',
      group_by: 'status',
      key_id: key,
    },
    now + daysLater * dayMs,
  );
  return groups.map(({ total, p95_ms }) => [total, p95_ms]);
}

const run = asFunction('summarizeUsage', () => summarizeUsage(Date.now() + 60_000, now));

const counts = [
  [3, 61],
  [1, 22],
  [1, 89],
];

test('the sum of a day is that of its hours, stays when these are gone, and is the same after a repetition', async () => {
  const used = await givenRequests();
  expect(await countsOf(used, 0)).toEqual(counts);
  expect(await countsOf(used, 10)).toEqual([0, 0, 0].map((total) => [total, null]));
  await run();
  expect(await countsOf(used, 10)).toEqual(counts);
  await remove({ pk: 'summary#days', sk: 'progress' });
  await run();
  expect(await countsOf(used, 10)).toEqual(counts);
  const pk = usePartition(used.account, used.key);
  for (const { sk } of await hourItems(used.account, used.key, { from: start, to: start + dayMs }))
    await remove({ pk, sk: sk as string });
  expect(await countsOf(used, 10)).toEqual(counts);
});

test('a day is summed up only when its lines have come, and a run that had no time continues later', async () => {
  const used = await givenRequests();
  const end = start + dayMs;
  await asFunction('summarizeUsage', () => summarizeUsage(Date.now() + 60_000, end + 29 * 3_600_000))();
  expect(await countsOf(used, 10)).toEqual([0, 0, 0].map((total) => [total, null]));
  // No time at all: the day is late, and nothing is done.
  const info = vi.spyOn(log, 'info');
  await summarizeUsage(Date.now() - 1, end + 31 * 3_600_000);
  expect(info).toHaveBeenLastCalledWith('summarized', expect.objectContaining({ usage_late_seconds: 3600 }));
  expect(await countsOf(used, 10)).toEqual([0, 0, 0].map((total) => [total, null]));
  await run();
  expect(await countsOf(used, 10)).toEqual(counts);
});

test('the function reports how late it is', async () => {
  const info = vi.spyOn(log, 'info');
  const context = { ...lambdaContext(120_000), awsRequestId: 'request' } as Context;
  await asFunction('summarizeUsage', handler)({} as Parameters<typeof handler>[0], context);
  expect(info).toHaveBeenLastCalledWith('summarized', expect.objectContaining({ usage_late_seconds: 0 }));
});
