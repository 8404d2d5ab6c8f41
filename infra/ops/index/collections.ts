import { readMany } from '../../../lib/dynamodb/batch.ts';
import { env, required } from '../../../lib/env.ts';
import { noteCollection, notedCollections } from '../../../lib/lists/collectionNotes.ts';
import { toHead } from '../../../lib/records/head.ts';
import { type CollectionRef, headKey } from '../../../lib/records/keys.ts';
import { isResource, resourceTypes } from '../../../lib/resources/index.ts';
import { scan } from '../scan.ts';

const collectionsOf = (account: string): CollectionRef[] => resourceTypes.map((type) => ({ account, type }));

/** The collections of an account; without an account, those that the index has noted. */
export async function notedOf(account: string | undefined): Promise<CollectionRef[]> {
  if (account !== undefined) return collectionsOf(account);
  const refs: CollectionRef[] = [];
  for await (const ref of notedCollections()) refs.push(ref);
  return refs;
}

/** The collections that have records, of an account or of all. They are noted in the index. All are found by reading the whole Records table. */
export async function storedOf(account: string | undefined, stopped: AbortSignal): Promise<CollectionRef[]> {
  const refs = account === undefined ? await scanHeads(stopped) : collectionsOf(account);
  const counts = await Promise.all(refs.map((ref) => countRecords([ref])));
  const stored = refs.filter((_, i) => (counts[i] as number) > 0);
  for (const ref of stored) await noteCollection(ref);
  return stored;
}

/** How many records collections have together. */
export async function countRecords(refs: readonly CollectionRef[]): Promise<number> {
  const heads = await readMany(required(env.recordsTable), refs.map(headKey));
  return heads.reduce((sum, head) => sum + toHead(head).count, 0);
}

async function scanHeads(stopped: AbortSignal): Promise<CollectionRef[]> {
  const refs: CollectionRef[] = [];
  const filter = {
    FilterExpression: 'sk = :head',
    ExpressionAttributeValues: { ':head': headKey({ account: '', type: 'contact' }).sk },
  };
  await scan({ table: required(env.recordsTable), filter, onRead: () => {}, stopped }, async (items) => {
    for (const { pk } of items) {
      const [account = '', type] = String(pk).split('#');
      if (isResource(type)) refs.push({ account, type });
    }
  });
  return refs;
}
