import { describe, expect, test, vi } from 'vitest';
import { operations } from '../../../lib/contract/index.ts';
import { randomId } from '../../../lib/ids.ts';
import { log } from '../../../lib/logs/log.ts';
import { listFailures } from '../../../lib/usage/listFailures.ts';
import { classOf } from '../../../lib/usage/readUse.ts';
import { usageOf } from '../../../lib/usage/usage.ts';
import { givenAccount } from '../../support/data/given.ts';
import { inPool } from '../../support/data/pool.ts';
import { type Fault, faultsOf, useFaultyDatabase } from '../../support/faults/faults.ts';
import { lambdaContext } from '../../support/http/events.ts';
import { accessLine, countRequests, type LoggedRequest, logsEvent } from '../../support/usage/logs.ts';
import { seeded } from '../../support/usage/random.ts';

const database = useFaultyDatabase();

type Event = ReturnType<typeof logsEvent>;

/** Counts a batch, which Lambda repeats until it succeeds: on a busy machine, calls to the database run into their time limits. */
async function count(event: Event): Promise<void> {
  for (;;)
    try {
      return await countRequests(event, lambdaContext(60_000));
    } catch {}
}

/** An invocation that meets a fault, and has two seconds for its transactions. */
const countWith = (fault: Fault, event: Event) =>
  database.runUntilKilled(() => countRequests(event, lambdaContext(7000)).catch(() => {}), fault);

const newKey = () => randomId('key');

/** Two hours before and two after the midnight before the last one, whatever the time is: also a day changes. */
const midnight = Math.floor(Date.now() / 86_400_000 - 1) * 86_400_000;
const range = {
  from: new Date(midnight - 2 * 3_600_000).toISOString(),
  to: new Date(midnight + 2 * 3_600_000).toISOString(),
  resolution: 'hour',
} as const;

const statuses = [200, 201, 204, 304, 400, 401, 403, 404, 412, 422, 429, 500, 502, 504];

describe('counts', () => {
  test('equal what clients sent, with every batch repeated, cut anywhere and killed anywhere', async () => {
    const random = seeded(1);
    const anyOf = <T>(entries: readonly T[]): T => entries[random(entries.length)] as T;
    const accounts = [givenAccount(), givenAccount()].map((account) => ({
      account,
      keys: [newKey(), newKey(), newKey()],
    }));
    const requests = Array.from({ length: 400 }, (): LoggedRequest & { operation: string } => {
      const { account, keys } = anyOf(accounts);
      const { id: operation, method, path: resource } = anyOf(operations);
      return {
        account,
        key: anyOf(keys),
        operation,
        method,
        resource,
        at: new Date(Date.parse(range.from) + random(4 * 3_600_000)),
        status: anyOf(statuses),
        ms: random(300),
      };
    });

    const batches: Event[] = [];
    for (let i = 0; i < requests.length; ) {
      const size = 1 + random(60);
      const lines = requests.slice(i, i + size).map(accessLine);
      batches.push(logsEvent(lines, `stream-${random(3)}`));
      i += size;
    }
    await inPool(4, batches, async (event) => {
      // Most invocations make less than ten calls; a fault beyond them does not happen.
      const calls = Array<string>(10).fill('UpdateItem');
      const fault = anyOf(faultsOf(calls).filter(({ name }) => !name.startsWith('hangs')));
      await countWith(fault, event);
      await Promise.all([count(event), count(event)]);
      await count(event);
    });

    for (const { account, keys } of accounts)
      for (const key of keys) {
        const sent = requests.filter((one) => one.key === key);
        const { groups, times } = await usageOf(account, { ...range, group_by: 'operation', key_id: key });
        for (const { id } of operations) {
          const ofOperation = sent.filter(({ operation }) => operation === id);
          const group = groups.find(({ operation }) => operation === id);
          expect(group?.requests ?? [0, 0, 0, 0], `${key} ${id}`).toEqual(
            times.map((time) => ofOperation.filter((one) => hourIn(one.at) === time).length),
          );
          if (group) expectNear(group.p95_ms as number, p95(ofOperation));
        }
        const byStatus = await usageOf(account, { ...range, group_by: 'status', key_id: key });
        expect(byStatus.groups.map(({ status_class, total }) => [status_class, total])).toEqual(
          ['2xx', '4xx', '5xx'].map((name) => [
            name,
            sent.filter(({ status = 0 }) => classOf(status) === name).length,
          ]),
        );
      }
  });

  test('and failed requests are complete after any fault of a call and a repetition', async () => {
    const make = () => {
      const account = givenAccount();
      const keys = [newKey(), newKey()];
      const lines = [200, 404, 500].flatMap((status) =>
        keys.map((key) => accessLine({ account, key, at: new Date(), status, secret: '0123abcd' })),
      );
      return { account, event: logsEvent(lines) };
    };
    const { calls } = await database.run(() => count(make().event));
    async function meet(fault: Fault): Promise<void> {
      const { account, event } = make();
      await countWith(fault, event);
      await count(event);
      const { groups } = await usageOf(account, { resolution: 'hour', group_by: 'status' });
      expect(
        groups.map(({ total }) => total),
        fault.name,
      ).toEqual([2, 2, 2]);
      expect((await listFailures(account, { limit: 50 })).data, fault.name).toHaveLength(4);
    }
    await inPool(10, faultsOf(calls), meet);
  });
});

const hourIn = (at: Date): string => `${at.toISOString().slice(0, 13)}:00:00.000Z`;

/** The time within which 95 % were answered, exactly. */
const p95 = (requests: readonly LoggedRequest[]): number =>
  requests.map(({ ms = 0 }) => ms).sort((a, b) => a - b)[Math.ceil(0.95 * requests.length) - 1] as number;

/** An estimate is in the same step of 40 %. */
function expectNear(estimate: number, exact: number): void {
  expect(estimate).toBeGreaterThanOrEqual(Math.floor(exact / Math.SQRT2));
  expect(estimate).toBeLessThanOrEqual(Math.ceil(exact * Math.SQRT2));
}

const functionLine = ({ account, key, at, id }: { account: string; key: string; at: Date; id: string }) =>
  JSON.stringify({
    message: 'request',
    operation: 'listContacts',
    request_id: id,
    extended_request_id: 'other',
    key_id: key,
    account,
    status: 400,
    duration_ms: 12,
    time_ms: at.getTime(),
    error_message: 'A message',
    problems: [{ field: 'limit', message: 'must be an integer from 1 to 100' }],
  });

describe('failed requests', () => {
  test.each([
    [0, 1],
    [1, 0],
  ])('are one entry of two log lines, in any order: %i before %i', async (first, second) => {
    const account = givenAccount();
    const [key, at] = [newKey(), new Date()];
    const id = crypto.randomUUID();
    const ofGateway = accessLine({ account, key, at, status: 400, ms: 30, id });
    const ofFunction = functionLine({ account, key, at, id });
    const events = [logsEvent([ofGateway]), logsEvent([ofFunction])];
    await count(events[first] as Event);
    await count(events[second] as Event);
    expect((await listFailures(account, { limit: 10 })).data).toEqual([
      {
        request_id: id,
        at: at.toISOString(),
        key_id: key,
        operation: 'listContacts',
        method: 'GET',
        path: '/contacts',
        status: 400,
        duration_ms: 30,
        message: 'A message',
        missing_scope: null,
        problems: [{ field: 'limit', message: 'must be an integer from 1 to 100' }],
      },
    ]);
    // The line of the function is about a request that the access log has, too.
    const { groups } = await usageOf(account, { resolution: 'hour', group_by: 'status' });
    expect(groups.map(({ total }) => total)).toEqual([0, 1, 0]);
  });
});

describe('lines that cannot be counted', () => {
  test.each([
    ['no JSON', () => '{no json'],
    ['no object', () => '7'],
    ['another account', (line: object) => JSON.stringify({ ...line, account: 'a#b' })],
    ['another key', (line: object) => JSON.stringify({ ...line, key_id: 'key_1#2' })],
    ['no time', (line: object) => JSON.stringify({ ...line, time_ms: '-' })],
    ['a time of no log', (line: object) => JSON.stringify({ ...line, time_ms: '99999999999999999' })],
    ['no secret', (line: object) => JSON.stringify({ ...line, secret: '-' })],
    ['no status', (line: object) => JSON.stringify({ ...line, status: '-' })],
    ['no id', (line: object) => JSON.stringify({ ...line, request_id: 'a b', extended_request_id: 'ä' })],
    [
      'a function that is not known',
      (line: object) => JSON.stringify({ ...line, message: 'request', operation: 'nope' }),
    ],
  ])('%s: the others of the batch are counted, and the log has their number', async (_, changed) => {
    const account = givenAccount();
    const line = accessLine({ account, key: newKey(), at: new Date() });
    const info = vi.spyOn(log, 'info');
    await count(logsEvent([line, changed(JSON.parse(line)), line]));
    const { groups } = await usageOf(account, { resolution: 'hour', group_by: 'status' });
    expect(groups[0]?.total).toBe(2);
    expect(info).toHaveBeenCalledWith('counted', expect.objectContaining({ lines: 3, unreadable_lines: 1 }));
  });

  test('a route that is not known counts as another one, and a time that is missing as none', async () => {
    const account = givenAccount();
    const line = accessLine({ account, key: newKey(), at: new Date(), resource: '/gone' });
    await count(logsEvent([JSON.stringify({ ...JSON.parse(line), duration_ms: '-' })]));
    const { groups } = await usageOf(account, { resolution: 'hour', group_by: 'operation' });
    expect(groups).toMatchObject([{ operation: 'other', total: 1, p95_ms: 1 }]);
  });
});
