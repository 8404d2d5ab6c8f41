import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { GatheredReads } from '../../../lib/dynamodb/gatheredReads.ts';
import { env, required } from '../../../lib/env.ts';
import { givenAccount } from '../../support/data/given.ts';
import { onWire } from '../../support/faults/wire.ts';

const table = () => required(env.webhooksTable);

/** How many keys each request to the database had. */
let requests: number[];
let account: string;
let undo: () => void;
beforeEach(() => {
  account = givenAccount();
  requests = [];
  undo = onWire(({ name, input }, send) => {
    if (name === 'BatchGetItem') {
      const [{ Keys }] = Object.values(input.RequestItems as object) as [{ Keys: unknown[] }];
      requests.push(Keys.length);
    }
    return send();
  });
});
afterEach(() => undo());

const keyOf = (sk: string | number) => ({ pk: `${account}#gathered`, sk: String(sk) });
const put = (sk: string | number, value: number) =>
  dynamodb().send(new PutCommand({ TableName: table(), Item: { ...keyOf(sk), value } }));

test('reads at the same time become one request, with every key once', async () => {
  for (const sk of ['a', 'b', 'c']) await put(sk, sk.charCodeAt(0));
  const reads = new GatheredReads(table());
  const found = await Promise.all([
    reads.read(keyOf('c'), keyOf('nothing'), keyOf('a')),
    reads.read(keyOf('a'), keyOf('b')),
    Promise.resolve().then(() => reads.read(keyOf('b'))),
  ]);
  expect(found.map((items) => items.map((item) => item?.value))).toEqual([
    [99, undefined, 97],
    [97, 98],
    [98],
  ]);
  expect(requests).toEqual([4]);
});

test('a later read returns the later state', async () => {
  const reads = new GatheredReads(table());
  const values: unknown[] = [];
  for (const value of [1, 2]) {
    await put('a', value);
    const [item] = await reads.read(keyOf('a'));
    values.push(item?.value);
  }
  expect(values).toEqual([1, 2]);
  expect(requests).toEqual([1, 1]);
});

test('more keys than DynamoDB takes in one request become several requests', async () => {
  await put(119, 119);
  const reads = new GatheredReads(table());
  const found = await Promise.all(
    Array.from({ length: 40 }, (_, i) => reads.read(...[0, 1, 2].map((n) => keyOf(3 * i + n)))),
  );
  expect(found.at(-1)?.[2]?.value).toBe(119);
  expect(requests).toEqual([99, 21]);
});

test('when the request fails, all its reads fail', async () => {
  const reads = new GatheredReads('NoSuchTable');
  const results = await Promise.allSettled([reads.read(keyOf('a')), reads.read(keyOf('b'))]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
