import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { operations } from '../../../lib/contract/index.ts';
import { randomId } from '../../../lib/ids.ts';
import { log } from '../../../lib/logs/log.ts';
import { classOf } from '../../../lib/usage/counts.ts';
import { groupFailures, listFailures } from '../../../lib/usage/listFailures.ts';
import { usageOf } from '../../../lib/usage/usage.ts';
import { consumedBy } from '../../bench/cost/consumed.ts';
import { givenAccount } from '../../support/data/given.ts';
import { inPool } from '../../support/data/pool.ts';
import { type Fault, faultsAt, useFaultyDatabase } from '../../support/faults/faults.ts';
import { lambdaContext } from '../../support/http/events.ts';
import { accessLine, countRequests, type LoggedRequest, logsEvent } from '../../support/usage/logs.ts';
import { seeded } from '../../support/usage/random.ts';

const database = useFaultyDatabase();

type Event = ReturnType<typeof logsEvent>;

/** How often an invocation that fails is repeated: on a busy machine, calls to the database run into their time limits. */
const repetitions = 9;

/** Counts a batch, which Lambda repeats when the invocation fails. */
async function count(event: Event): Promise<void> {
  for (let left = repetitions; ; left--)
    try {
      return await countRequests(event, lambdaContext(60_000));
    } catch (error) {
      if (left === 0) throw error;
    }
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
      const fault = anyOf(faultsAt(10).filter(({ name }) => !name.startsWith('hangs')));
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
          if (group) expect(group.average_ms).toBe(average(ofOperation));
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

  test('of a batch with more keys than a transaction has room for are complete, whatever call is the last', async () => {
    const make = () => {
      const account = givenAccount();
      const keys = Array.from({ length: 101 }, newKey);
      return { account, event: logsEvent(keys.map((key) => accessLine({ account, key, at: new Date() }))) };
    };
    const whole = make();
    const { calls } = await database.run(() => count(whole.event));
    const transactions = calls.flatMap((name, at) => (name === 'TransactWriteItems' ? [at] : []));
    expect(transactions).toHaveLength(2);
    const faults = faultsAt(calls.length).filter(
      ({ at, name, lasts }) => transactions.includes(at) && lasts && !name.startsWith('hangs'),
    );
    await inPool(4, faults, async (fault) => {
      const { account, event } = make();
      await countWith(fault, event);
      await count(event);
      await count(event);
      const { groups } = await usageOf(account, { resolution: 'hour', group_by: 'key' });
      expect(
        groups.map(({ total }) => total),
        fault.name,
      ).toEqual(Array(101).fill(1));
    });
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
    await inPool(10, faultsAt(calls.length), meet);
  });
});

const hourIn = (at: Date): string => `${at.toISOString().slice(0, 13)}:00:00.000Z`;

const average = (requests: readonly LoggedRequest[]): number =>
  Math.round(requests.reduce((sum, { ms = 0 }) => sum + ms, 0) / requests.length);

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
  test('are listed or only counted, never both, also when the lines of the functions come in other batches', async () => {
    const account = givenAccount();
    const key = newKey();
    const now = Date.now();
    const requests = Array.from({ length: 60 }, (_, i) => ({
      account,
      key,
      at: new Date(now - i),
      status: 400,
      id: crypto.randomUUID(),
    }));
    await count(logsEvent(requests.map(accessLine)));
    for (let at = 0; at < requests.length; at += 20)
      await count(logsEvent(requests.slice(at, at + 20).map(functionLine)));
    const { data, not_kept } = await listFailures(account, { limit: 100 });
    expect([data.length, not_kept]).toEqual([25, { '4xx': 35, '5xx': 0 }]);
    const [group] = (await groupFailures(account, {})).data;
    expect((await listFailures(account, { limit: 1, group: group?.id as string })).not_kept['4xx']).toBe(35);
    expect(data.every(({ message }) => message === 'A message')).toBe(true);
  });

  test('that are listed have their reasons in a flood, also of the requests that ended when one batch did and the next began', async () => {
    const account = givenAccount();
    const key = newKey();
    const now = Date.now();
    const random = seeded(3);
    const requests = Array.from({ length: 600 }, (_, i) => ({
      account,
      key,
      at: new Date(now - i),
      status: 400,
      id: `${random(2 ** 32)
        .toString(16)
        .padStart(8, '0')}-0000-4000-8000-000000000000`,
    }));
    // A function tells of a request before the gateway does: so its batches end with the first requests of the gateway's next ones.
    const batches = (first: number, lineOf: (request: (typeof requests)[number]) => string) =>
      [0, 1, 2, 3].map((n) => requests.slice(n && first + n * 150, first + (n + 1) * 150).map(lineOf));
    for (const lines of [...batches(20, functionLine), ...batches(0, accessLine)])
      await count(logsEvent(lines));
    const { data, not_kept } = await listFailures(account, { limit: 100 });
    expect([data.length, not_kept]).toEqual([100, { '4xx': 500, '5xx': 0 }]);
    expect(data.filter(({ message }) => message === null)).toEqual([]);
  });

  test('of a key that fails very often are counted beyond 25 of a batch; those of others are all kept', async () => {
    const account = givenAccount();
    const [often, once] = [newKey(), newKey()];
    const at = new Date();
    const lines = Array.from({ length: 40 }, (_, i) =>
      accessLine({
        account,
        key: often,
        at: new Date(at.getTime() - i),
        status: i % 2 ? 500 : 400,
        id: `6c7c9e05-0000-4000-8000-${String(i).padStart(12, '0')}`,
      }),
    );
    const event = logsEvent([...lines, accessLine({ account, key: once, at, status: 404 })]);
    await count(event);
    await count(event);
    const { data, not_kept } = await listFailures(account, { limit: 100 });
    expect(data.map(({ key_id }) => key_id).sort()).toEqual([...Array(25).fill(often), once].sort());
    expect(not_kept).toEqual({ '4xx': 7, '5xx': 8 });
    expect((await listFailures(account, { limit: 1, status_class: '5xx' })).not_kept).toEqual({
      '4xx': 0,
      '5xx': 8,
    });
    expect((await listFailures(account, { limit: 1, key_id: once })).not_kept).toEqual({
      '4xx': 0,
      '5xx': 0,
    });
    const { groups } = await usageOf(account, { resolution: 'hour', group_by: 'status' });
    expect(groups.map(({ total }) => total)).toEqual([0, 21, 20]);
  });

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
    expect(groups).toMatchObject([{ operation: 'other', total: 1, average_ms: 0 }]);
  });

  test('an id that a client has chosen is not kept: the one of API Gateway is', async () => {
    const account = givenAccount();
    const at = new Date();
    await count(logsEvent([accessLine({ account, key: newKey(), at, status: 400, id: 'order-canary' })]));
    expect((await listFailures(account, { limit: 10 })).data).toMatchObject([{ request_id: 'Zm9vYmFy=' }]);
  });
});

test('a batch of five lines of two keys takes four write units: the price of counting', async () => {
  const account = givenAccount();
  const keys = [newKey(), newKey()];
  const event = () =>
    logsEvent(
      Array.from({ length: 5 }, (_, i) =>
        accessLine({ account, key: keys[i % 2] as string, at: new Date() }),
      ),
    );
  // Which keys were used is written once an hour.
  await count(event());
  expect(await consumedBy(() => count(event()))).toEqual({ read: 0, write: 4 });
});

test('a message with which CloudWatch Logs only tries the function has no effect', async () => {
  const account = givenAccount();
  const { awslogs } = logsEvent([accessLine({ account, key: newKey(), at: new Date() })]);
  const content = JSON.parse(gunzipSync(Buffer.from(awslogs.data, 'base64')).toString());
  const control = gzipSync(JSON.stringify({ ...content, messageType: 'CONTROL_MESSAGE' })).toString('base64');
  const { calls } = await database.run(() => count({ awslogs: { data: control } }));
  expect(calls).toEqual([]);
});
