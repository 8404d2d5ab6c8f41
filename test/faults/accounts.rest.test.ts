import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, test } from 'vitest';
import { deleteAccount } from '../../infra/ops/accounts/deleteAccount.ts';
import { batchesOf } from '../../lib/concurrency.ts';
import { dynamodb } from '../../lib/dynamodb/client.ts';
import { env, required } from '../../lib/env.ts';
import { verificationKey } from '../../lib/filterIndex/indexKeys.ts';
import { resourceTypes } from '../../lib/resources/index.ts';
import { isObject } from '../../lib/schemas/json.ts';
import { aContact, givenAccount, givenContacts, givenKey } from '../support/data/given.ts';
import { inPool } from '../support/data/pool.ts';
import { aRecord, givenRecords } from '../support/data/records.ts';
import { scan } from '../support/data/scan.ts';
import { type Fault, faultsOf, useFaultyDatabase } from '../support/faults/faults.ts';
import { usePipeline } from '../support/pipeline/usePipeline.ts';
import { removeFolder, root, temporaryFolder } from '../support/stack/stackProcess.ts';

// Export and deletion of accounts, at each of their calls with every fault, and with other accounts beside.

const pipeline = usePipeline();
const database = useFaultyDatabase({ hangMs: 300 });
const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

const never = new AbortController().signal;
const connection = { flushAuthorizers: async () => true, authorizerMs: 0, lateMs: 0 };

/** The key patterns of all tables, as their files explain them. */
const patterns = globSync('lib/**/*Table.ts', { cwd: root }).flatMap((file) => {
  const text = readFileSync(join(root, file), 'utf8');
  const [, table = ''] = /export const (\w+Table) =/.exec(text) ?? [];
  return [...text.matchAll(/^ \* {3}(\S+)(?: +(\S+))?/gm)].map(([, pk = '', sk = '']) => ({
    variable: env[table as keyof typeof env],
    pk,
    sk,
  }));
});

/** Items that belong to no account. */
const ofNobody = [
  '#blocked-hosts',
  '#blocked-host#<host>',
  '#database#<id>',
  '#verification',
  'summary#days',
];

/** The tables of this file: those of the template. */
async function tables(): Promise<string[]> {
  const suffix = required(env.keysTable).split('-').at(-1) as string;
  const names: string[] = [];
  let ExclusiveStartTableName: string | undefined;
  do {
    const page = await dynamodb().send(new ListTablesCommand({ ExclusiveStartTableName }));
    names.push(...(page.TableNames ?? []).filter((name) => name.endsWith(`-${suffix}`)));
    ExclusiveStartTableName = page.LastEvaluatedTableName;
  } while (ExclusiveStartTableName);
  return names;
}

/** The database does not keep the order of attributes. */
const inOrder = (_: string, value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;

/** The items of all tables that name one of these accounts, in their keys or anywhere. */
async function itemsOf(...accounts: string[]): Promise<string[]> {
  const named = new RegExp(`(?<![\\w-])(?:${accounts.join('|')})(?![\\w-])`);
  const found: string[] = [];
  for (const TableName of await tables()) {
    const texts = (await scan(TableName)).map((item) => `${TableName} ${JSON.stringify(item, inOrder)}`);
    found.push(...texts.filter((text) => named.test(text)));
  }
  return found.sort();
}

/** An item of each key pattern, for an account. */
async function givenEach(account: string): Promise<void> {
  const filled = (pattern: string) =>
    pattern
      .replaceAll('<account>', account)
      .replace(/<(hash|key|event)>/g, `$1-of.${account}`)
      .replace(/<position>|<number>/g, '000000000007')
      .replaceAll('<partition>', '3')
      .replaceAll('<', 'the-')
      .replaceAll('>', '');
  const own = patterns.filter(({ pk }) => !ofNobody.includes(pk));
  for (const [variable, some] of Map.groupBy(own, (one) => one.variable))
    for (const batch of batchesOf(some, 25))
      await dynamodb().send(
        new BatchWriteCommand({
          RequestItems: {
            [required(variable)]: batch.map(({ pk, sk }) => ({
              PutRequest: {
                Item: {
                  pk: filled(pk),
                  ...(variable === env.keysTable
                    ? { account_id: account, created_at: '2026' }
                    : { sk: filled(sk), account }),
                },
              },
            })),
          },
        }),
      );
}

/** An account, and two whose names are longer and shorter. */
async function givenNeighbours(): Promise<{ account: string; others: string[] }> {
  const shorter = givenAccount();
  const account = `${shorter}-a`;
  const others = [shorter, `${account}-b`];
  for (const one of [account, ...others]) await givenEach(one);
  return { account, others };
}

test('every table of the template explains its key patterns', async () => {
  const explained = new Set(patterns.map(({ variable }) => required(variable)));
  expect([...explained].sort()).toEqual((await tables()).sort());
  for (const { pk, sk } of patterns) if (!`${pk}${sk}`.includes('<')) expect(ofNobody).toContain(pk);
});

test('after a deletion a search of all tables finds nothing of the account, its keys go before its records, and others stay byte for byte', async () => {
  const { account, others } = await givenNeighbours();
  await givenKey(account);
  for (const type of resourceTypes) await givenRecords(type, account, [aRecord(type)]);
  await pipeline.subscribe({}, account);
  await givenContacts(account, [aContact(), aContact()]);
  const changes = await pipeline.stream.changes();
  expect(changes.length).toBeGreaterThan(0);
  const verification = {
    ...verificationKey,
    pass: { next: { part: 'items', from: { pk: `${account}#x` } } },
  };
  await dynamodb().send(new PutCommand({ TableName: required(env.indexTable), Item: verification }));
  const before = await itemsOf(...others);
  expect(before.length).toBeGreaterThanOrEqual(2 * (patterns.length - ofNobody.length));
  const leftAtFlush: string[] = [];
  const flushAuthorizers = async () => {
    if (leftAtFlush.length === 0) leftAtFlush.push(...(await itemsOf(account)));
    return true;
  };
  const done = await deleteAccount(account, { ...connection, flushAuthorizers }, never);
  expect(done).toMatchObject({ complete: true, flushed: true });
  expect(leftAtFlush.some((text) => text.startsWith(required(env.recordsTable)))).toBe(true);
  expect(
    leftAtFlush.filter((text) =>
      [env.keysTable, env.sessionsTable].some((variable) => text.startsWith(required(variable))),
    ),
  ).toEqual([]);
  expect(await itemsOf(account)).toEqual([]);
  expect(await itemsOf(...others)).toEqual(before);
});

test('with any fault of a call of a deletion, and a second run after it, nothing of the account is left, and others stay', async () => {
  const { account: deleted, others } = await givenNeighbours();
  const before = await itemsOf(...others);
  const { calls } = await database.run(() => deleteAccount(deleted, connection, never));
  // All tables are emptied alike: the first, which has the keys, the second, and the search that finds nothing stand for all.
  const [, second] = calls.flatMap((name, at) => (name === 'BatchWriteItem' ? [at] : []));
  const last = calls.lastIndexOf('BatchWriteItem') + 1;
  const faults = faultsOf(calls).filter(({ at }) => at <= (second as number) || at >= last);
  await inPool(3, [...faults.entries()], async ([i, fault]: [number, Fault]) => {
    const account = `${deleted}-${i}`;
    await givenEach(account);
    await database
      .runUntilKilled(() => deleteAccount(account, connection, never), fault)
      .catch(() => undefined);
    expect(await deleteAccount(account, connection, never), fault.name).toMatchObject({ complete: true });
    expect(await itemsOf(account), fault.name).toEqual([]);
  });
  expect(await itemsOf(...others)).toEqual(before);
});
