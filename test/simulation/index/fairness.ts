import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Change } from '../../../infra/local/stream/streamClient.ts';
import { NumberedVersions } from '../../../lib/feed/appendChanges.ts';
import { numberedKey } from '../../../lib/feed/feedItems.ts';
import { deferredSince } from '../../../lib/filterIndex/deferredIndex.ts';
import { readContent } from '../../../lib/filterIndex/sets/itemContent.ts';
import { chunkSize } from '../../../lib/records/sets/chunk.ts';
import { aStreamedRecord, changeTo } from '../../support/data/streamedChanges.ts';
import { tagItem } from '../../support/pipeline/expectedIndex.ts';
import { SimulatedDatabase } from '../database.ts';
import { Random } from '../random.ts';
import { elapsedMs, runUntil, sleep } from '../virtualTime.ts';
import type { SimulatedStream } from '../webhooks/stream.ts';
import { startPipeline } from './pipeline.ts';

/** One account creates contacts at a pace. Another one creates batches of contacts with tags that no other contact has, again and again. */
export interface FairnessLoad {
  perSecond: number;
  seconds: number;
  /** Batches of a hundred contacts of the other account in each second, all at once; 0 without it. */
  batches: number;
  /** Tags of each of these contacts. */
  tags: number;
  seed: number;
}

export interface FairnessResult {
  /** How long after each contact of the first account was created the feed had it, and the set of its tag, in milliseconds. */
  feed: number[];
  filter: number[];
  /** The contacts of the other account, those of them that are in all their sets at the end, and the items that it has written. */
  others: { created: number; indexed: number };
  /** Contacts of the other account that are missing in a set, although no note of deferred changes says so. */
  unnoted: number;
  /** The write units of the run, and calls that were refused because a partition had had its units. */
  writeUnits: number;
  throttled: number;
}

const pollMs = 5;

/** When a contact is not in the index after so long, something is wrong. */
const limitMs = 600_000;

class Account {
  created = 0;
  private readonly name: string;
  private readonly tagsEach: number;
  private readonly stream: SimulatedStream;
  private readonly database: SimulatedDatabase;

  constructor(name: string, tagsEach: number, stream: SimulatedStream, database: SimulatedDatabase) {
    this.name = name;
    this.tagsEach = tagsEach;
    this.stream = stream;
    this.database = database;
  }

  /** Creates contacts, each with tags of its own. @returns the first position */
  create(count: number): number {
    const first = this.created;
    this.created += count;
    const changes = Array.from({ length: count }, (_, i) => {
      const now = new Date().toISOString();
      const fields = { email: null, phone: null, tags: this.tagsOf(first + i) };
      const record = aStreamedRecord(this.name, first + i);
      return changeTo(record, 1, { ...fields, created_at: now, updated_at: now }) as Change;
    });
    for (const { dynamodb } of changes) this.database.set(unmarshall(dynamodb.NewImage as never));
    void this.stream.write(changes);
    return first;
  }

  isNumbered(position: number): boolean {
    const key = numberedKey(this.name, 'contact', position);
    return new NumberedVersions(key, this.database.get(key)).versionOf(position) === 1;
  }

  isIndexed = (position: number): boolean =>
    this.tagsOf(position).every((tag) => {
      const key = tagItem(this.name, tag, position);
      const members = this.database.get({ ...key })?.members as Uint8Array | undefined;
      return readContent({ key, isHour: false }, members)
        .members()
        .has(position % chunkSize);
    });

  private tagsOf = (position: number): string[] =>
    Array.from({ length: this.tagsEach }, (_, i) => `tag-${position}-${i}`);
}

/** Resolves to the milliseconds until something is so. */
async function timeUntil(isSo: () => boolean): Promise<number> {
  const start = elapsedMs();
  while (!isSo()) {
    if (elapsedMs() - start > limitMs) throw new Error('A contact is not in the index');
    await sleep(pollMs);
  }
  return elapsedMs() - start;
}

/** Runs a load until all contacts of the first account are in the feed and in the index. */
export async function measureFairness(load: FairnessLoad): Promise<FairnessResult> {
  const random = new Random(load.seed);
  Math.random = random.next;
  const database = new SimulatedDatabase('aws', random);
  const stream = startPipeline(database, random);
  const one = new Account('acc_one', 1, stream, database);
  const others = new Account('acc_others', load.tags, stream, database);
  const times: { feed: Promise<number>[]; filter: Promise<number>[] } = { feed: [], filter: [] };
  const steadily = async (): Promise<void> => {
    while (elapsedMs() < load.seconds * 1000) {
      const position = one.create(1);
      times.feed.push(timeUntil(() => one.isNumbered(position)));
      times.filter.push(timeUntil(() => one.isIndexed(position)));
      await sleep((1000 / load.perSecond) * (0.5 + random.next()));
    }
    await Promise.all([...times.feed, ...times.filter]);
  };
  const again = async (): Promise<void> => {
    for (; load.batches > 0 && elapsedMs() < load.seconds * 1000; await sleep(1000))
      for (let i = 0; i < load.batches; i++) others.create(100);
  };
  const countUnnoted = async (): Promise<number> => {
    // The last ones of the other account may still be in the stream.
    await timeUntil(() => others.created === 0 || others.isNumbered(others.created - 1));
    const since = await deferredSince('acc_others');
    const missing = positionsOf(others).filter((position) => !others.isIndexed(position));
    return since === undefined ? missing.length : 0;
  };
  await runUntil(Promise.all([steadily(), again()]));
  const unnoted = await runUntil(countUnnoted());
  stream.close();
  const [feed, filter] = await Promise.all([Promise.all(times.feed), Promise.all(times.filter)]);
  const { writeUnits, throttled } = database.usage;
  return {
    feed,
    filter,
    others: {
      created: others.created,
      indexed: positionsOf(others).filter((position) => others.isIndexed(position)).length,
    },
    unnoted,
    writeUnits,
    throttled,
  };
}

const positionsOf = ({ created }: Account): number[] => Array.from({ length: created }, (_, i) => i);
