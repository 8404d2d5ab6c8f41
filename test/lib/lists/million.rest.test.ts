import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { writeVersions } from '../../../lib/dynamodb/versions.ts';
import { env, required } from '../../../lib/env.ts';
import { listMatching } from '../../../lib/lists/list.ts';
import { type Bits, chunkSize, encodeBits, noBits, setBit } from '../../../lib/lists/sets/chunk.ts';
import { append } from '../../../lib/records/create/append.ts';
import { newDraft } from '../../../lib/records/create/draft.ts';
import { forget } from '../../../lib/records/head.ts';
import { type CollectionRef, headKey } from '../../../lib/records/keys.ts';
import { contacts } from '../../../lib/resources/contacts/record.ts';
import { consumedBy } from '../../bench/cost/consumed.ts';
import { roundTripsOf } from '../../bench/records/roundTrips.ts';
import { aContact, givenAccount } from '../../support/data/given.ts';
import { tagItem } from '../../support/pipeline/expectedIndex.ts';

const size = 1_000_000;

/** Contacts that are there: the last ones. */
const stored = 400;

/** Two sets of 30 %, which have 9 % in common. */
const has: Record<string, (position: number) => boolean> = {
  customer: (position) => position % 10 < 3,
  newsletter: (position) => Math.floor(position / 10) % 10 < 3,
};

const tagsAt = (position: number) => Object.keys(has).filter((tag) => has[tag]?.(position));

/**
 * A collection as it is after a million creates, with only its last records and what the index has of two values. The sets are written
 * first: as soon as there are records, `indexChanges` of the running stack writes them too.
 */
async function givenMillion(account: string): Promise<void> {
  const ref: CollectionRef = { account, type: 'contact' };
  for (const tag of Object.keys(has)) await givenSet(account, tag);
  const drafts = (from: number, end: number) =>
    Array.from({ length: end - from }, (_, i) => newDraft(aContact({ tags: tagsAt(from + i) })));
  await append(contacts, account, drafts(0, 1));
  await dynamodb().send(
    new UpdateCommand({
      TableName: required(env.recordsTable),
      Key: headKey(ref),
      UpdateExpression: 'SET #count = :count',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':count': size - stored },
    }),
  );
  forget(ref);
  await append(contacts, account, drafts(size - stored, size));
}

async function givenSet(account: string, tag: string): Promise<void> {
  const items = Array.from({ length: Math.ceil(size / chunkSize) }, (_, chunk) => ({
    key: { ...tagItem(account, tag, chunk * chunkSize) },
    attributes: { members: encodeBits(membersIn(chunk, tag)) },
    version: undefined,
  }));
  expect(await writeVersions(required(env.indexTable), items, 4)).not.toContain(false);
}

function membersIn(chunk: number, tag: string): Bits {
  const bits = noBits();
  for (let at = 0; at < chunkSize; at++) {
    const position = chunk * chunkSize + at;
    if (position < size && has[tag]?.(position)) setBit(bits, at, true);
  }
  return bits;
}

test('of a million contacts, the last page of two values of 30 % takes 60 read units and two round trips', async () => {
  const account = givenAccount();
  await givenMillion(account);
  const tag = Object.keys(has);
  const total = 90_000;
  for (const page of [
    { sort: 'created_at', offset: total - 25 },
    { sort: '-created_at', offset: 0 },
  ] as const) {
    const list = () => listMatching(contacts, account, { limit: 25, tag, ...page });
    const { data, pagination } = await list();
    expect(pagination.total).toBe(total);
    expect(data).toHaveLength(25);
    expect((await consumedBy(list)).read).toBeLessThanOrEqual(60);
    expect(await roundTripsOf(list)).toBe(2);
  }
});
