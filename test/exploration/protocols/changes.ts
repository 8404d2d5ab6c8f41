import { appendChanges } from '../../../lib/feed/appendChanges.ts';
import type { FeedEntry } from '../../../lib/feed/feedEntry.ts';
import { feedHeadKey, feedPartition } from '../../../lib/feed/feedItems.ts';
import type { StreamedChange } from '../../../lib/records/change.ts';
import { noted } from '../engine/facts.ts';
import { type Scenario, Violation } from '../engine/search.ts';
import { presentTime, type World } from '../engine/world.ts';
import { account, changesTo, contactAt, repetition, shard } from './stream.ts';

const append = (changes: readonly StreamedChange[]): Promise<string[]> =>
  appendChanges(changes, presentTime() + 60_000);

const first = changesTo(0, [contactAt(0, 1), contactAt(0, 2), contactAt(0, 3)]);
const neighbour = changesTo(1, [contactAt(1, 1), contactAt(1, 2)]);
const distant = changesTo(200, [contactAt(200, 1), contactAt(200, 2)]);

/** Numbers are dense; each change has one; those of a record are in the order of its versions. */
function checkFeed({ tables }: World): string[] {
  const pages = tables.items('index').filter(({ pk, sk }) => pk === feedPartition(account) && sk !== 'head');
  const numbered = new Map<number, FeedEntry>();
  for (const { sk, changes } of pages)
    for (const [i, entry] of (changes as FeedEntry[]).entries()) {
      if (numbered.has(Number(sk) + i)) throw new Violation(`Two changes have the number ${Number(sk) + i}`);
      numbered.set(Number(sk) + i, entry);
    }
  const count = (tables.get('index', feedHeadKey(account))?.count as number | undefined) ?? 0;
  if (count !== numbered.size || [...numbered.keys()].some((number) => number >= count))
    throw new Violation(`The length is ${count}, and the numbers are ${[...numbered.keys()].join(', ')}`);
  const versions = new Map<string, number>();
  for (const [, { resource_id, version }] of [...numbered].sort(([a], [b]) => a - b)) {
    if (version <= (versions.get(resource_id) ?? 0))
      throw new Violation(`The version ${version} of a record comes after ${versions.get(resource_id)}`);
    versions.set(resource_id, version);
  }
  return [...numbered.values()].map(({ resource_id, version }) => `${resource_id} ${version}`);
}

/** A batch that is done has its numbers. */
const check =
  (shards: Record<string, readonly (readonly StreamedChange[])[]>) =>
  (world: World): void => {
    const numbered = checkFeed(world);
    for (const [name, batches] of Object.entries(shards))
      for (const [i, batch] of batches.entries())
        for (const { after } of noted(`${name} done ${i}`) ? batch : [])
          if (!numbered.includes(`${after.id} ${after.version}`))
            throw new Violation(`${name} is done with a change that has no number`);
  };

const [second, third] = first as [StreamedChange, StreamedChange];
const oneByOne = { A: [[second], [third]], B: [distant] };
const together = { A: [first], B: [neighbour] };

export const changes: Scenario[] = [
  {
    name: 'two shards, and a batch that comes again',
    limits: [
      { faults: 1, stalls: 0 },
      { faults: 0, stalls: 1 },
    ],
    roles: () => [
      shard('A', oneByOne.A, append),
      shard('B', oneByOne.B, append),
      repetition('C', ['A', 1], first, append),
    ],
    check: check(oneByOne),
  },
  {
    name: 'a batch that comes again in another order',
    limits: [
      { faults: 1, stalls: 0 },
      { faults: 0, stalls: 1 },
    ],
    roles: () => [
      shard('A', together.A, append),
      shard('B', together.B, append),
      repetition('C', ['A', 0], [third, second], append),
    ],
    check: check(together),
  },
];
