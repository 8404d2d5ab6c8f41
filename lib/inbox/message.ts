import { inboxDeletion, inboxMessage, type StatedResource, statedResource } from '../contract/inbox.ts';
import { joinProblems } from '../errors/apiError.ts';
import type { Deletion } from '../records/deletion/deleteStated.ts';
import { type Entry, namesOf } from '../records/upsert/entry.ts';
import type { Stored } from '../resources/collection.ts';
import { isAccount } from '../values/account.ts';
import { isObject, readObject } from '../values/json.ts';
import { problemsOf, withoutRepeated } from '../values/problemMessages.ts';
import { toDeletion, toEntry } from './resources.ts';

/** What a message says of a record of an account: its state, or that it is deleted. */
export type Statement = { account: string; resource: StatedResource } & Said;

export type Said = { entry: Entry<Stored>; deletion?: undefined } | { entry?: undefined; deletion: Deletion };

/** The reason of a refusal goes into the log. An unusual name is left out, because it may be an e-mail address. */
const nameOf = (name: string): string => (/^(?:[a-z][a-z_]{0,39}|line[12])$/.test(name) ? name : '"…"');

/** What the log says of a message that is refused, so that the product finds its row. */
export interface Subject {
  account?: string;
  resource?: string;
  source_id?: string;
}

/** A number or a UUID. Any other id may be a name or an address, so the log leaves it out. */
const plainId = /^(?:\d{1,20}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

export const subjectOf = (account: string, resource: string, sourceId?: unknown): Subject => ({
  account,
  resource,
  ...(plainId.test(String(sourceId)) ? { source_id: String(sourceId) } : {}),
});

/** The subject of a message that is not right. */
function subjectOfAny(message: unknown): Subject {
  const { account, resource, record, deleted } = message as Partial<Record<string, unknown>>;
  const stated = typeof resource === 'string' ? statedResource(resource) : undefined;
  if (!isAccount(account) || stated === undefined) return {};
  return subjectOf(
    account,
    stated,
    [record, deleted].filter(isObject).map((one) => (one as { source_id?: unknown }).source_id)[0],
  );
}

/** Reads the body of a message. @returns its statement, or the problem with it and what it is about */
export function readMessage(body: string): Statement | ({ problem: string } & Subject) {
  const read = readObject(body, nameOf);
  if ('problem' in read) return { problem: `the message ${read.problem}` };
  const isDeletion = 'deleted' in read.value;
  const { data, error } = (isDeletion ? inboxDeletion : inboxMessage)().safeParse(read.value);
  const ofFields = problemsOf(error, nameOf);
  const problems = [...withoutRepeated(read.problems, ofFields), ...ofFields];
  if (!data || problems.length > 0) return { problem: joinProblems(problems), ...subjectOfAny(read.value) };
  const { account, resource } = data;
  if ('deleted' in data) return { account, resource, deletion: toDeletion(data.deleted) };
  const { record: sent } = read.value as { record: object };
  return { account, resource, entry: toEntry(resource, data.record, sent) };
}

/** The names by which a statement finds its record, or that it gives it. */
export const namesIn = ({ entry, deletion }: Said): string[] => {
  if (entry) return namesOf(entry);
  const { sourceId, externalId, recordId } = deletion;
  const all = { source: sourceId, external: externalId, record: recordId };
  return Object.entries(all).flatMap(([kind, name]) => (name === undefined ? [] : [`${kind} ${name}`]));
};
