import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { sqs } from '../lib/aws/queues.ts';
import { dynamodb } from '../lib/dynamodb/client.ts';
import { env, required } from '../lib/env.ts';
import type { Access } from './support/permissions/access.ts';
import { asFunction, runningFunction } from './support/permissions/asFunction.ts';
import { differences } from './support/permissions/compare.ts';
import { noteRequests } from './support/permissions/note.ts';
import { readNotes } from './support/permissions/readNotes.ts';
import { removeFolder, root, temporaryFolder } from './support/stack/stackProcess.ts';

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

describe('the comparison', () => {
  const reads: Access = { functionId: 'getContact', action: 'dynamodb:GetItem', resource: 'A' };
  const looks: Access = { functionId: 'getContact', action: 'dynamodb:Query', resource: 'A/index/i' };
  const sends: Access = { functionId: 'getContact', action: 'sqs:SendMessage', resource: 'Q' };
  const takes: Access = { functionId: 'getContact', action: 'sqs:ReceiveMessage', resource: 'Q' };
  const traces: Access = { functionId: 'getContact', action: 'xray:PutTraceSegments', resource: '*' };
  const all = [reads, looks, sends];
  const compared = { done: all, granted: [...all, takes, traces], byMappings: [takes], whole: true };

  test('finds nothing where functions do what they may do, and services the rest', () => {
    expect(differences(compared)).toEqual([]);
  });

  test.each([
    ['an action', { action: 'dynamodb:BatchGetItem' }],
    ['a table', { resource: 'B' }],
    ['a function', { functionId: 'getOrder' }],
  ])('finds %s that is not granted, in every run, and says where to grant it', (_, other) => {
    const { functionId, action, resource } = { ...reads, ...other };
    for (const whole of [true, false])
      expect(differences({ ...compared, done: [...all, { ...reads, ...other }], whole })).toEqual([
        `${functionId} does ${action} on ${resource}, and its role does not allow it: AWS would refuse the call. ` +
          `Grant it in infra/stacks/permissions.ts under "${functionId}", or take the call out of the code.`,
      ]);
  });

  test.each(all)('finds that $action on $resource is granted for nothing, in a whole run only', (unused) => {
    const done = all.filter((one) => one !== unused);
    expect(differences({ ...compared, done })).toEqual([
      expect.stringMatching(
        /^getContact may do .*, but does not do it in any test\. .* infra\/stacks\/permissions\.ts/,
      ),
    ]);
    expect(differences({ ...compared, done, whole: false })).toEqual([]);
  });
});

describe('what is noted', () => {
  test('is each thing once that a function asks of AWS, and nothing that a test asks', async () => {
    const file = join(folder, 'notes.jsonl');
    let running: string | undefined;
    noteRequests(file, () => running);
    const [TableName, queue] = [required(env.webhooksTable), new URL(required(env.quickDeliveriesQueue))];
    const get = () => dynamodb().send(new GetCommand({ TableName, Key: { pk: 'nobody#', sk: 'nothing' } }));
    await get();
    running = 'ApigetMeFunction0A1B2C3D';
    await get();
    await get();
    // Noted though it is refused: also on AWS a role is asked first.
    const QueueUrl = `${queue.origin}/000000000000/NoQueue`;
    const Entries = [{ Id: '1', MessageBody: 'a message' }];
    await expect(sqs().send(new SendMessageBatchCommand({ QueueUrl, Entries }))).rejects.toThrow();
    await fetch(queue.origin);
    running = undefined;
    await get();
    expect(readNotes(file)).toEqual([
      { functionId: 'getMe', action: 'dynamodb:GetItem', resource: TableName },
      { functionId: 'getMe', action: 'sqs:SendMessage', resource: 'NoQueue' },
    ]);
  });

  test('of a handler in a test is what its own function asks, whatever runs beside it', async () => {
    const look = async () => {
      await sleep(1);
      return runningFunction();
    };
    const both = [asFunction('getMe', look), asFunction('getOrder', look), look];
    expect(await Promise.all(both.map((one) => one()))).toEqual(['getMe', 'getOrder', undefined]);
  });

  test('leaves out no handler that a test calls', () => {
    const files = globSync('test/**/*.ts', { cwd: root, exclude: ['test/bench/**', '**/node_modules/**'] });
    // The folder of the handlers, seen from the file: test/functions has a folder of each name, too.
    const up = (file: string) => '../'.repeat(file.split('/').length - 1);
    const calling = files.filter((file) =>
      [`'${up(file)}functions/`, `\`${up(file)}functions/`, `\`${up(file)}\${fileOf`].some((path) =>
        textOf(file).includes(path),
      ),
    );
    expect(calling.length).toBeGreaterThan(3);
    for (const file of calling) expect(textOf(file), file).toContain('= asFunction(');
  });

  const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
});
