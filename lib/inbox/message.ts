import { inboxMessage, type StatedResource } from '../contract/inbox.ts';
import { readObject } from '../contract/json.ts';
import { problemsOf } from '../contract/problems.ts';
import type { Stored } from '../records/collection.ts';
import type { Entry } from '../records/upsert.ts';
import { toEntry } from './resources.ts';

/** What a message states. */
export interface Statement {
  account: string;
  resource: StatedResource;
  entry: Entry<Stored>;
}

/** Reads the body of a message. @returns what it states, or why it states nothing */
export function readMessage(body: string): Statement | { problems: string[] } {
  const read = readObject(body);
  if ('problem' in read) return { problems: [`the message ${read.problem}`] };
  const { data, error } = inboxMessage().safeParse(read.value);
  if (error) return { problems: problemsOf(error) };
  const { account, resource, record } = data;
  return { account, resource, entry: toEntry(record) };
}
