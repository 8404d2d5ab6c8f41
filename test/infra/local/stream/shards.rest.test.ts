import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { close, type Listening, listen } from '../../../../infra/local/gateway/server.ts';
import { startEventSources } from '../../../../infra/local/lambda/eventSources.ts';
import { Checkpoints } from '../../../../infra/local/stream/checkpoints.ts';
import { removeFolder, temporaryFolder } from '../../../support/stack/stackProcess.ts';
import { keysIn, mapping } from './streamFixture.ts';

// The embedded database has one shard that never ends. Other servers have shards that end and have children, list them in pages
// and lose positions. The server of this test does so too.

interface FakeShard {
  parent?: string;
  ended: boolean;
  keys: string[];
}

let folder: string;
let server: Listening;
let shards: Map<string, FakeShard>;
let broken: boolean;
let reads: number;

type Body = Record<string, string>;

const operations: Record<string, (body: Body) => object> = {
  DescribeTable: () => ({ Table: { LatestStreamArn: 'the stream', LatestStreamLabel: 'today' } }),
  DescribeStream: ({ ExclusiveStartShardId }) => {
    const ids = [...shards.keys()];
    const at = ids.indexOf(ExclusiveStartShardId ?? '') + 1;
    const ShardId = ids[at] as string;
    const { parent } = shards.get(ShardId) as FakeShard;
    return {
      StreamDescription: {
        Shards: [{ ShardId, ...(parent ? { ParentShardId: parent } : {}) }],
        ...(at + 1 < ids.length ? { LastEvaluatedShardId: ShardId } : {}),
      },
    };
  },
  GetShardIterator: ({ ShardId, ShardIteratorType, SequenceNumber = '0' }) => {
    if (SequenceNumber === '99') throw new Error('TrimmedDataAccessException');
    const at = Number(SequenceNumber) - (ShardIteratorType === 'AT_SEQUENCE_NUMBER' ? 1 : 0);
    return { ShardIterator: `${ShardId}/${at}` };
  },
  GetRecords: ({ ShardIterator = '' }) => {
    const [id = '', at = ''] = ShardIterator.split('/');
    const { keys, ended } = shards.get(id) as FakeShard;
    const Records = keys.slice(Number(at)).map((key, i) => ({
      dynamodb: { Keys: { sk: { S: key } }, SequenceNumber: String(Number(at) + i + 1) },
    }));
    return { Records, ...(ended ? {} : { NextShardIterator: `${id}/${keys.length}` }) };
  },
};

beforeEach(async () => {
  folder = temporaryFolder();
  broken = false;
  reads = 0;
  server = await listen(0, async (request, response) => {
    reads += 1;
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Body;
    const operation = String(request.headers['x-amz-target']).split('.')[1] as string;
    try {
      if (broken) throw new Error('InternalServerError');
      response.end(JSON.stringify(operations[operation]?.(body)));
    } catch (error) {
      const { message } = error as Error;
      response.writeHead(400).end(JSON.stringify({ __type: `com.amazonaws#${message}`, message }));
    }
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await close(server.server);
  removeFolder(folder);
});

const begin = (got: string[], checkpoints = new Checkpoints(folder)) =>
  startEventSources([mapping], {
    queuesEndpoint: '',
    databaseEndpoint: server.url,
    folder,
    checkpoints,
    lambdas: new Map([
      [
        'Function',
        {
          invoke: async (event) => {
            got.push(...keysIn(event as DynamoDBStreamEvent));
            return 'null';
          },
        },
      ],
    ]),
  });

const parentAndChild = (): Map<string, FakeShard> =>
  new Map([
    ['child', { parent: 'parent', ended: false, keys: ['c', 'd'] }],
    ['parent', { parent: 'long gone', ended: false, keys: ['a', 'b'] }],
  ]);

test('each shard is read once, after the end of its parent', async () => {
  shards = parentAndChild();
  const got: string[] = [];
  const stop = await begin(got);
  await expect.poll(() => got).toEqual(['a', 'b']);
  Object.assign(shards.get('parent') as FakeShard, { ended: true });
  await expect.poll(() => got).toEqual(['a', 'b', 'c', 'd']);
  await stop();
  const again: string[] = [];
  const stopAgain = await begin(again);
  shards.get('child')?.keys.push('e');
  await expect.poll(() => again).toEqual(['e']);
  await stopAgain();
});

test('after the loss of a position, reading begins with the oldest change', async () => {
  shards = parentAndChild();
  const checkpoints = new Checkpoints(folder);
  checkpoints.begin(mapping.id, 'Records', 'the stream');
  checkpoints.reach(mapping.id, 'parent', '99');
  const got: string[] = [];
  const stop = await begin(got, checkpoints);
  await expect.poll(() => got).toEqual(['a', 'b']);
  await stop();
});

test('an error is logged once, and reading continues after it', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  shards = parentAndChild();
  const got: string[] = [];
  const stop = await begin(got);
  await expect.poll(() => got).toEqual(['a', 'b']);
  broken = true;
  const before = reads;
  while (reads < before + 2) await sleep(20);
  await expect
    .poll(() => logged.mock.calls)
    .toEqual([['Changes cannot read its stream: InternalServerError']]);
  broken = false;
  shards.get('parent')?.keys.push('more');
  await expect.poll(() => got).toEqual(['a', 'b', 'more']);
  await stop();
});
