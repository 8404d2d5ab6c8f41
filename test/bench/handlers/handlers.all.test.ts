import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { env, required } from '../../../lib/env.ts';
import { aContact, givenAccount, givenContacts } from '../../support/data/given.ts';
import { removeFolder, root, temporaryFolder } from '../../support/stack/stackProcess.ts';
import { coldHandlers } from '../coldStart/coldHandlers.ts';
import { startCold } from '../coldStart/coldProcess.ts';
import { listEvent } from '../coldStart/coldStart.ts';
import { assertAllSame } from '../warm/warm.ts';
import { deployed, own, withoutFramework, withPreparedPage } from '../warm/warmHandlers.ts';
import { openWarm } from '../warm/warmProcess.ts';
import { allKinds, dynamodbAnswers } from '../warm/warmRequests.ts';
import { peersFolder } from './peers.ts';
import { assertSame, type NamedAnswer } from './sameAnswer.ts';
import { startTlsProxy } from './tlsProxy.ts';

// The handlers that the benches compare do the same. The bench itself checks those with packages that the product does not have.

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

test('every handler that is started cold lists what listContacts lists', async () => {
  const account = givenAccount();
  await givenContacts(
    account,
    Array.from({ length: 30 }, () => aContact({ tags: ['vip'], custom_fields: { points: 12, vip: true } })),
  );
  const proxy = await startTlsProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB as string);
  onTestFinished(() => proxy.close());
  const surroundings = {
    port: proxy.port,
    variables: { [env.recordsTable]: required(env.recordsTable) },
  };
  const answered: NamedAnswer[] = [];
  for (const handler of await coldHandlers(folder)) {
    const { start, answer } = await startCold<APIGatewayProxyResult>(
      handler,
      listEvent(account),
      surroundings,
    );
    answered.push({ name: handler.name, answer });
    expect(start.boot + start.load + start.call).toBeCloseTo(start.all, 6);
  }
  assertSame(answered as [NamedAnswer, ...NamedAnswer[]]);
  const { data, pagination } = JSON.parse(answered[0]?.answer.body ?? '');
  expect([answered.length, data.length, pagination.total]).toEqual([5, 25, 30]);
});

test.each([
  ['a list from DynamoDB', deployed],
  ['a prepared page', withPreparedPage],
])(
  'with %s, the warm handler without a framework answers every kind of request as listContacts does',
  async (_, bundle) => {
    const entries = [own, withoutFramework];
    const processes = (await bundle(entries, folder)).map((file) =>
      openWarm(file, dynamodbAnswers, join(folder, 'log')),
    );
    onTestFinished(async () => void (await Promise.all(processes.map((process) => process.close()))));
    await assertAllSame(entries, processes);
    const statuses = [];
    for (const event of allKinds) {
      const { answer, microseconds } = (await processes[0]?.ask({ event, calls: 3 })) ?? {};
      expect(microseconds).toHaveLength(3);
      statuses.push(answer?.statusCode);
    }
    expect(statuses).toEqual([200, 400, 200, 400, 200, 403]);
  },
);

test('a handler with another answer is named', () => {
  const answered = (name: string, statusCode: number, body: object): NamedAnswer => ({
    name,
    answer: { statusCode, body: JSON.stringify(body) },
  });
  const ours = answered('ours', 200, { data: [], pagination: { total: 0 } });
  expect(() =>
    assertSame([ours, answered('theirs', 200, { pagination: { total: 0 }, data: [] })]),
  ).not.toThrow();
  expect(() => assertSame([ours, answered('theirs', 201, JSON.parse(ours.answer.body))])).toThrow(
    'theirs answers',
  );
  expect(() => assertSame([ours, answered('theirs', 200, { data: [] })])).toThrow('theirs answers');
});

test('the packages of the comparison are pinned, and no dependencies of the product', () => {
  const read = (...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8'));
  const { dependencies, devDependencies } = read(peersFolder, 'package.json');
  const { packages } = read(root, 'package-lock.json');
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
    expect(packages).not.toHaveProperty([`node_modules/${name}`]);
  }
});
