import { listed } from '../apiError.ts';
import { inboxMessage, type StatedResource } from '../contract/inbox.ts';
import { readObject } from '../contract/values/json.ts';
import { problemsOf } from '../contract/values/problemMessages.ts';
import type { Stored } from '../records/collection.ts';
import type { Entry } from '../records/upsert.ts';
import { toEntry } from './resources.ts';

/** What a message states. */
export interface Statement {
  account: string;
  resource: StatedResource;
  entry: Entry<Stored>;
}

/** The reason of a refusal goes into the log, and a name that looks like none of ours may be an e-mail address. */
const nameOf = (name: string): string => (/^[a-z][a-z_]{0,39}$/.test(name) ? name : '"…"');

/** Reads the body of a message. @returns what it states, or why it states nothing */
export function readMessage(body: string): Statement | { problem: string } {
  const read = readObject(body, nameOf);
  if ('problem' in read) return { problem: `the message ${read.problem}` };
  const { data, error } = inboxMessage().safeParse(read.value);
  const problems = [...read.problems, ...problemsOf(error, nameOf)];
  if (!data || problems.length > 0) return { problem: listed(problems) };
  const { account, resource, record } = data;
  return { account, resource, entry: toEntry(record) };
}
