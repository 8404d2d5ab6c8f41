import { joinProblems } from '../apiError.ts';
import { inboxMessage, type StatedResource } from '../contract/inbox.ts';
import type { Entry } from '../records/upsert/entry.ts';
import type { Stored } from '../resources/collection.ts';
import { readObject } from '../values/json.ts';
import { problemsOf, withoutRepeated } from '../values/problemMessages.ts';
import { toEntry } from './resources.ts';

/** The statement of a message: the state of a record of an account. */
export interface Statement {
  account: string;
  resource: StatedResource;
  entry: Entry<Stored>;
}

/** The reason of a refusal goes into the log. An unusual name is left out, because it may be an e-mail address. */
const nameOf = (name: string): string => (/^(?:[a-z][a-z_]{0,39}|line[12])$/.test(name) ? name : '"…"');

/** Reads the body of a message. @returns its statement, or the problem with it */
export function readMessage(body: string): Statement | { problem: string } {
  const read = readObject(body, nameOf);
  if ('problem' in read) return { problem: `the message ${read.problem}` };
  const { data, error } = inboxMessage().safeParse(read.value);
  const ofFields = problemsOf(error, nameOf);
  const problems = [...withoutRepeated(read.problems, ofFields), ...ofFields];
  if (!data || problems.length > 0) return { problem: joinProblems(problems) };
  const { account, resource, record } = data;
  const { record: sent } = read.value as { record: object };
  return { account, resource, entry: toEntry(resource, record, sent) };
}
