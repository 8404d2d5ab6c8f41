import { expect, test } from 'vitest';
import { records } from '../../../lib/dynamodb/tables.ts';
import { write } from '../../../lib/dynamodb/transact.ts';
import { countDeleted } from '../../../lib/records/deletion/deletedSet.ts';
import { listRecords } from '../../../lib/records/listByOffset.ts';
import { counterKey, deletedKey, inAccount, recordKey } from '../../../lib/records/recordKeys.ts';
import { chunkSize, encodeBits, noBits, setBit } from '../../../lib/records/sets/chunk.ts';
import { contacts } from '../../../lib/resources/contacts.ts';
import { consumedBy } from '../../bench/cost/consumed.ts';
import { givenAccount } from '../../support/data/given.ts';
import { inPool } from '../../support/data/pool.ts';

const count = 1_000_000;
const limit = 25;

/** The positions of a page when one in so many is deleted, from the first on. */
const livingFrom = (oneIn: number, offset: number): number[] =>
  Array.from({ length: limit }, (_, i) => offset + i).map((nth) =>
    Number.isFinite(oneIn) ? Math.floor(nth / (oneIn - 1)) * oneIn + (nth % (oneIn - 1)) + 1 : nth,
  );

/** A collection of a million contacts, of which one in so many is deleted. Only those of the pages at these offsets are stored. */
async function givenMillion(oneIn: number, offsets: readonly number[]): Promise<string> {
  const ref = { account: givenAccount(), type: contacts.type };
  const isGone = (position: number) => Number.isFinite(oneIn) && position % oneIn === 0;
  const chunks = Array.from({ length: Math.ceil(count / chunkSize) }, (_, chunk) => chunk);
  let deleted = 0;
  await inPool(20, chunks, async (chunk) => {
    const bits = noBits();
    for (let at = 0; at < chunkSize; at++) {
      const position = chunk * chunkSize + at;
      if (position >= count || !isGone(position)) continue;
      setBit(bits, at, true);
      deleted += 1;
    }
    if (Number.isFinite(oneIn))
      await write(records.put({ ...deletedKey(ref, chunk), members: encodeBits(bits), rev: 1 }));
  });
  await write(records.put({ ...counterKey(ref), count, ...(deleted > 0 ? { has_deleted: true } : {}) }));
  if (deleted > 0) await write(countDeleted(ref, deleted));
  const at = new Date().toISOString();
  const positions = offsets.flatMap((offset) => livingFrom(oneIn, offset));
  await inPool(20, positions, async (position) => {
    const id = `con_${String(position).padStart(24, '0')}`;
    await write(records.put({ ...recordKey(ref, position), id, version: 1, created_at: at, updated_at: at }));
  });
  return ref.account;
}

test.each([
  { share: 'none', oneIn: Number.POSITIVE_INFINITY, most: 3 },
  { share: 'one in a hundred', oneIn: 100, most: 45 },
  { share: 'a tenth', oneIn: 10, most: 45 },
])(
  'a page of a million contacts, of which $share are deleted, takes at most $most read units at any offset',
  async ({ oneIn, most }) => {
    // The first page reads the set of the deleted positions; this process keeps it for the others.
    const offsets = [449_975, 0, 899_975];
    const account = await givenMillion(oneIn, offsets);
    for (const offset of offsets) {
      const total = Number.isFinite(oneIn) ? count - count / oneIn : count;
      const { read } = await consumedBy(async () => {
        const { data, pagination } = await listRecords(inAccount(contacts, account), { limit, offset });
        expect(data.map(({ id }) => Number(id.slice(4)))).toEqual(livingFrom(oneIn, offset));
        expect(pagination.total).toBe(total);
      });
      expect(read).toBeLessThanOrEqual(most);
    }
  },
);
