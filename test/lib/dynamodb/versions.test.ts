import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { type VersionedItem, writeVersions } from '../../../lib/dynamodb/versions.ts';
import { env, required } from '../../../lib/env.ts';
import { givenAccount } from '../../support/data/given.ts';
import { onWire, success } from '../../support/faults/wire.ts';

const table = () => required(env.indexTable);

let account: string;
/** How many statements each call had. */
let calls: number[];
let undo: () => void;
beforeEach(() => {
  account = givenAccount();
  calls = [];
  undo = onWire((call, send) => {
    if (call.name === 'BatchExecuteStatement') calls.push((call.input.Statements as object[]).length);
    return send();
  });
});
afterEach(() => undo());

const keyOf = (sk: string | number) => ({ pk: `${account}#versions`, sk: String(sk) });

const itemAt = (sk: string | number, version: number | undefined, members = 'new'): VersionedItem => ({
  key: keyOf(sk),
  attributes: { members: Buffer.from(members) },
  version,
});

const write = (items: readonly VersionedItem[]): Promise<boolean[]> => writeVersions(table(), items, 2);

async function stored(sk: string | number): Promise<object | undefined> {
  const { Item } = await dynamodb().send(new GetCommand({ TableName: table(), Key: keyOf(sk) }));
  return Item && { ...Item, members: Buffer.from(Item.members as Uint8Array).toString() };
}

const storedAt = (sk: string | number, version: number, members = 'new') => ({
  ...keyOf(sk),
  version,
  members,
});

test('many items need a call for 25 of them, and the results are in their order', async () => {
  await write(Array.from({ length: 30 }, (_, i) => itemAt(2 * i, undefined)));
  calls.length = 0;
  const written = await write(Array.from({ length: 60 }, (_, i) => itemAt(i, undefined)));
  expect(written).toEqual(Array.from({ length: 60 }, (_, i) => i % 2 === 1));
  expect(calls.sort()).toEqual([10, 25, 25]);
  expect(await write([])).toEqual([]);
});

/** Answers a number of calls with an error of each statement about one item. */
function failing(sk: string, Code: string, times: number): void {
  let left = times;
  undo();
  undo = onWire(async ({ name, input }, send) => {
    const statements = input.Statements as { Parameters: { S?: string }[] }[];
    if (name !== 'BatchExecuteStatement' || left-- <= 0) return send();
    calls.push(statements.length);
    const Responses = statements.map(({ Parameters }) =>
      Parameters.some(({ S }) => S === sk) ? { Error: { Code, Message: 'a fault' } } : {},
    );
    return success({ Responses });
  });
}

describe('a busy database', () => {
  test('is asked again, only for what it has not written', async () => {
    failing('b', 'ThrottlingError', 1);
    expect(await write(['a', 'b'].map((sk) => itemAt(sk, undefined)))).toEqual([true, true]);
    expect(calls).toEqual([2]);
    expect(await stored('b')).toEqual(storedAt('b', 1));
  });

  test('counts as busy when it stays so', async () => {
    failing('b', 'ProvisionedThroughputExceeded', Number.POSITIVE_INFINITY);
    const writing = write(['a', 'b'].map((sk) => itemAt(sk, undefined)));
    await expect(writing).rejects.toMatchObject({ name: 'BusyError' });
    expect(calls).toEqual([2, 1, 1, 1, 1, 1]);
  });
});

test('an answer that does not tell of every statement is an error: nothing says what was written', async () => {
  undo();
  undo = onWire(async () => success({ Responses: [{}] }));
  await expect(write(['a', 'b'].map((sk) => itemAt(sk, undefined)))).rejects.toThrow('is not whole');
});
