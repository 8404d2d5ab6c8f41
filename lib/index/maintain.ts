import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { readMany } from '../dynamodb/batch.ts';
import { dynamodb } from '../dynamodb/client.ts';
import { isTransient, pause, writeIf } from '../dynamodb/conflicts.ts';
import { env, required } from '../env.ts';
import { fewAtOnce } from '../fewAtOnce.ts';
import { noteConflict } from '../metrics.ts';
import { type ItemKey, nameOf } from './keys.ts';
import { readContent } from './sets/itemContent.ts';
import type { Source } from './source.ts';

/** An item of the index that changes have named. */
export interface NamedItem {
  key: ItemKey;
  isLeaf: boolean;
  /** The positions whose records may have come into the item or left it: it is written with the truth of these records. */
  evaluated: Set<number>;
  /** The positions that only come into it, with the milliseconds for a leaf. */
  added: Map<number, number | undefined>;
}

const conflictPauseMs = 20;

/**
 * Brings items of the index up to date. Each is read; after that its records are read; then it is written, if no other process has
 * written it meanwhile.
 *
 * The order is what makes it right, however often and in whatever order changes are told. All writes of an item stand in one
 * order, and each knows the records at least as the one before it did. So the write that comes last knows the last version of
 * each record. For that, an item is written also when nothing in it changes: its new version refuses the write of a process that has
 * read the records before. test/faults/index.test.ts has an order of calls in which that decides.
 * @param deadline epoch milliseconds
 * @returns the items that are not up to date at the deadline
 */
export async function maintain(
  source: Source,
  items: readonly NamedItem[],
  deadline: number,
): Promise<NamedItem[]> {
  let rest = [...items];
  while (rest.length > 0 && Date.now() < deadline) {
    try {
      rest = await round(source, rest);
      if (rest.length > 0) noteConflict();
    } catch (error) {
      if (!isTransient(error)) throw error;
    }
    if (rest.length > 0) await pause(conflictPauseMs);
  }
  return rest;
}

/** @returns the items that others have written meanwhile */
async function round(source: Source, items: readonly NamedItem[]): Promise<NamedItem[]> {
  const stored = await readMany(
    required(env.indexTable),
    items.map(({ key }) => ({ ...key })),
  );
  const contents = new Map(stored.map((item) => [nameOf(item as unknown as ItemKey), item]));
  const truth = await source.entriesAt(new Set(items.flatMap(({ evaluated }) => [...evaluated])));
  const ttl = source.expiry?.();
  // A batch may name a thousand items: as many calls at once would wait for connections until their time is over.
  const written = await fewAtOnce(
    items,
    (item) => write(item, contents.get(nameOf(item.key)), truth, ttl),
    source.writesAtOnce,
  );
  return items.filter((_, i) => !written[i]);
}

/** @returns whether the item is up to date; not when another process has written it meanwhile */
async function write(
  { key, isLeaf, evaluated, added }: NamedItem,
  before: Record<string, unknown> | undefined,
  truth: Awaited<ReturnType<Source['entriesAt']>>,
  ttl: number | undefined,
): Promise<boolean> {
  const content = readContent({ key, isLeaf }, before?.members as Uint8Array | undefined);
  const name = nameOf(key);
  for (const position of evaluated) {
    const entry = truth.get(position)?.get(name);
    if (entry) content.add(position, entry.ms);
    else content.remove(position);
  }
  const isLonger = [...added].filter(([position, ms]) => content.addLatest(position, ms)).length > 0;
  // What is only added needs no fence: to add it twice, or late, makes no difference.
  if (evaluated.size === 0 && !isLonger) return true;
  const version = (before?.version as number | undefined) ?? 0;
  const put = new PutCommand({
    TableName: required(env.indexTable),
    Item: { ...key, version: version + 1, members: content.encoded(), ttl },
    ConditionExpression: before ? '#version = :version' : 'attribute_not_exists(pk)',
    ...(before
      ? {
          ExpressionAttributeNames: { '#version': 'version' },
          ExpressionAttributeValues: { ':version': version },
        }
      : {}),
  });
  return (await writeIf(() => dynamodb().send(put))) === undefined;
}
