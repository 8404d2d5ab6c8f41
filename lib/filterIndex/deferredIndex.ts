import { queryPages } from '../dynamodb/query.ts';
import { index } from '../dynamodb/tables.ts';
import { writeDelete, writePut } from '../dynamodb/transact.ts';
import { env, required } from '../env.ts';
import { accountOf } from '../records/change.ts';
import type { DeferredChanges, DeferredQueue } from '../records/deferChanges.ts';
import { deferredPartition } from './indexKeys.ts';

/** A day longer than SQS keeps a message. A note that a crash left behind expires then. */
const keptMs = 15 * 24 * 3_600_000;

/**
 * The queue of changes whose index items are written later. Each message has a note, which is written before the message and removed after the
 * items of its changes. So the notes of an account show how far its index is.
 */
export const deferredIndex: DeferredQueue = {
  url: () => required(env.deferredIndexQueue),
  note: async (message) => {
    const ttl = Math.ceil((Date.now() + keptMs) / 1000);
    await writePut(index.put({ ...noteKey(message), ttl }));
  },
  removeNote: async (message) => {
    await writeDelete(index.delete(noteKey(message)));
  },
};

function noteKey({ id, changes }: DeferredChanges) {
  const [since] = changes.map(({ dynamodb }) => String(dynamodb?.NewImage?.updated_at?.S)).sort();
  return { pk: deferredPartition(accountOf(changes[0] as never)), sk: `${since}#${id}` };
}

/**
 * Returns the time of the account's first change with deferred items. Filters may miss changes since then. Strongly consistent.
 * @returns the `updated_at` of the changed record, RFC 3339; undefined if the account has no deferred changes
 */
export async function deferredSince(account: string): Promise<string | undefined> {
  const query = { ...index.where({ pk: deferredPartition(account) }), ConsistentRead: true, Limit: 1 };
  const { value: [first] = [] } = await queryPages(query).next();
  return first && String(first.sk).split('#')[0];
}
