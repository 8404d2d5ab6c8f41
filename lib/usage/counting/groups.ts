import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { batchesOf } from '../../concurrency.ts';
import { usage } from '../../dynamodb/tables.ts';
import { type Action, actionsMax } from '../../dynamodb/transact.ts';
import { attributeOf, classOf, stepOf } from '../readUse.ts';
import { hourMs, hourOf, lostPartition, startOf, usageExpiryOf, usePartition } from '../usageKeys.ts';
import type { AccessLine, Batch, RefusedLine, RequestLine } from './logLines.ts';

/** How many shards an item has. Transactions on one item conflict, so each log stream writes its own shard. */
const shards = 8;

/** A transaction of a batch. A repetition with the same token has no effect for ten minutes. */
export interface Counting {
  token: string;
  actions: Action[];
}

interface Addition {
  pk: string;
  sk: string;
  ttl: number;
  numbers: Map<string, number>;
  sets: Map<string, Set<number>>;
}

/**
 * Returns the transactions that count a batch. Their content depends only on the lines, and never on the time of the call, so a repeated batch
 * has the same tokens and the same content.
 */
export function countingsOf({
  ids,
  stream,
  access,
  refused,
}: Omit<Batch, 'failures' | 'unreadable'>): Counting[] {
  const shard = crc32(stream) % shards;
  const additions = new Map<string, Addition>();
  const requests = [...access, ...refused];
  const listed = new Set(listedOf(requests));
  for (const line of requests) addUse(additionFor(additions, useItem(line, shard)), line);
  for (const line of requests)
    if (line.status >= 400 && !listed.has(line))
      add(additionFor(additions, lostItem(line, shard)).numbers, classOf(line.status), 1);
  const name = createHash('sha256').update(ids.join()).digest('base64url');
  const actions = [...additions.values()].map(actionOf);
  // A token has at most 36 characters.
  return batchesOf(actions, actionsMax).map((some, part) => ({
    token: `${name.slice(0, 30)}-${part}`,
    actions: some,
  }));
}

type ItemOf = Pick<Addition, 'pk' | 'sk' | 'ttl'>;

const useItem = ({ account, key, at }: RequestLine, shard: number): ItemOf => ({
  pk: usePartition(account, key),
  sk: `hour#${hourOf(at)}#${shard}`,
  ttl: usageExpiryOf(startOf(hourOf(at)), 'hour'),
});

const lostItem = ({ account, key, at }: RequestLine, shard: number): ItemOf => ({
  pk: lostPartition(account),
  sk: `${hourOf(at)}#${key}#${shard}`,
  ttl: usageExpiryOf(startOf(hourOf(at)) + hourMs, 'failure'),
});

function additionFor(additions: Map<string, Addition>, item: ItemOf): Addition {
  const name = `${item.pk} ${item.sk}`;
  const found = additions.get(name);
  if (found) return found;
  const addition = { ...item, numbers: new Map(), sets: new Map() };
  additions.set(name, addition);
  return addition;
}

function addUse({ numbers, sets }: Addition, line: AccessLine | RefusedLine): void {
  const { operation, status, ms, at } = line;
  add(numbers, attributeOf({ operation, statusClass: classOf(status), step: stepOf(ms) }), 1);
  // A secret that has ended does not count as used.
  if (!('secret' in line)) return;
  const minutes = sets.get(`used:${line.secret}`) ?? new Set();
  sets.set(`used:${line.secret}`, minutes.add(Math.floor((at % hourMs) / 60_000)));
}

const add = (numbers: Map<string, number>, name: string, count: number): void =>
  void numbers.set(name, (numbers.get(name) ?? 0) + count);

function actionOf({ pk, sk, ttl, numbers, sets }: Addition): Action {
  const added = [...numbers, ...sets];
  // These names contain characters that the handle's placeholders must not contain.
  return {
    Update: {
      TableName: usage.name,
      Key: { pk, sk },
      UpdateExpression: `ADD ${added.map((_, i) => `#${i} :${i}`).join(', ')} SET #ttl = :ttl`,
      ExpressionAttributeNames: {
        '#ttl': 'ttl',
        ...Object.fromEntries(added.map(([name], i) => [`#${i}`, name])),
      },
      ExpressionAttributeValues: {
        ':ttl': ttl,
        ...Object.fromEntries(added.map(([, value], i) => [`:${i}`, value])),
      },
    },
  };
}

/** The maximum number of failed requests that are listed for a key in a batch of the access log. Further ones are only counted. */
const listedMax = 25;

/**
 * The maximum number of reasons that are stored for a key in a batch of a function's log. It is above `listedMax`, because the two batches do
 * not begin and end with the same requests.
 */
const reasonsMax = 2 * listedMax;

/**
 * Returns a limited number of lines of each key, because a key that fails very often must not fill the table. It chooses the lines with the
 * lowest request ids, which are random. So the two logs choose the same requests, although their batches and their order differ.
 */
function fewOfEachKey<Line extends RequestLine>(lines: readonly Line[], max: number): Line[] {
  const byKey = Map.groupBy(lines, ({ account, key }) => `${account}#${key}`);
  return [...byKey.values()].flatMap((ofKey) => ofKey.sort(byRequestId).slice(0, max));
}

const byRequestId = ({ requestId: a }: RequestLine, { requestId: b }: RequestLine): number =>
  a === b ? 0 : a < b ? -1 : 1;

/** Returns the failed requests in a batch that are listed, given one line of each. */
export const listedOf = <Line extends AccessLine | RefusedLine>(requests: readonly Line[]): Line[] =>
  fewOfEachKey(
    requests.filter(({ status }) => status >= 400),
    listedMax,
  );

export const reasonsOf = <Line extends RequestLine>(failures: readonly Line[]): Line[] =>
  fewOfEachKey(failures, reasonsMax);
