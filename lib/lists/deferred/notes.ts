import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../dynamodb/client.ts';
import { index } from '../../dynamodb/tables.ts';
import { writeDelete, writePut } from '../../dynamodb/transact.ts';
import { deferredPartition } from '../keys.ts';

// A note says that a message of deferred items is on its way. It is there before the message, and until the items of the message are
// written: so whoever reads the notes of an account knows how far its index is.

/** A day longer than SQS keeps a message. A note that a crash has left behind expires then. */
const keptMs = 15 * 24 * 3_600_000;

interface Note {
  account: string;
  since: string;
  id: string;
}

const keyOf = ({ account, since, id }: Note) => ({ pk: deferredPartition(account), sk: `${since}#${id}` });

export async function putNote(note: Note): Promise<void> {
  const ttl = Math.ceil((Date.now() + keptMs) / 1000);
  await writePut(index.put({ ...keyOf(note), ttl }));
}

export async function removeNote(note: Note): Promise<void> {
  await writeDelete(index.delete(keyOf(note)));
}

/**
 * The time of the first change of an account whose items are deferred: filters may miss changes since then. Strongly consistent.
 * @returns the `updated_at` of its record, RFC 3339; undefined when nothing of the account is deferred
 */
export async function deferredSince(account: string): Promise<string | undefined> {
  const { Items = [] } = await dynamodb().send(
    new QueryCommand({
      ...index.where({ pk: deferredPartition(account) }),
      ConsistentRead: true,
      Limit: 1,
    }),
  );
  const [first] = Items;
  return first && String(first.sk).split('#')[0];
}
