import type * as z from 'zod';
import {
  inboxDeletion,
  inboxEnvelope,
  inboxMessage,
  type ResourcePath,
  resourceNamed,
} from '../contract/inbox.ts';
import type { Deletion } from '../records/deletion/deleteNamed.ts';
import { namesOf, type UpsertEntry } from '../records/upsert/entry.ts';
import type { Stored } from '../resources/collection.ts';
import { isAccount } from '../values/account.ts';
import { isObject, readObject } from '../values/json.ts';
import { lazy } from '../values/lazy.ts';
import { problemsOf } from '../values/problemMessages.ts';
import { fieldNames } from '../values/reading.ts';
import { externalId } from '../values/texts.ts';
import { leftOutOf, readRecord } from './readRecord.ts';
import { toDeletion } from './resources.ts';

export interface Subject {
  account: string;
  resource: ResourcePath;
  source_id: string | null;
  external_id: string | null;
  revision: number | null;
}

export type MessageContent =
  | { entry: UpsertEntry<Stored>; deletion?: undefined }
  | { entry?: undefined; deletion: Deletion };

/** A message about a record of an account: the record, or its deletion. */
export type ReadMessage = Subject &
  MessageContent & {
    /** The problems of the fields that were left out, because they cannot be read. */
    leftOut: readonly string[];
  };

/** A message that cannot be stored. Without an account and a resource, nobody can be told. */
export interface RefusedMessage {
  problems: readonly string[];
  subject?: Subject;
}

const contractNames = lazy(() => new Set([...fieldNames(inboxMessage()), ...fieldNames(inboxDeletion())]));

/** The reason of a refusal goes into the log. A name that is not of the contract is left out, because it may be that of a person. */
const nameOf = (name: string): string => (contractNames().has(name) ? name : '"…"');

/** A number or a UUID. Any other id may be a name or an address, so the log leaves it out. */
const plainId = /^(?:\d{1,20}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** The ids of a record for the log, so that the product finds its row. */
export const loggedSubject = ({ account, resource, source_id }: Subject) => ({
  account,
  resource,
  ...(plainId.test(String(source_id)) ? { source_id } : {}),
});

/** A message as it was sent. */
type Sent = Partial<Record<'account' | 'resource' | 'record' | 'deleted', unknown>>;

/** Reads the body of a message. @returns the problems with it and what it is about, when it cannot be stored */
export function readMessage(body: string): ReadMessage | RefusedMessage {
  const parsed = readObject(body, nameOf);
  if ('problem' in parsed) return { problems: [`the message ${parsed.problem}`] };
  const sent: Sent = parsed.value;
  if ('deleted' in sent) return readDeletion(sent);
  const { data, error } = inboxEnvelope().safeParse(sent);
  if (!data) return { problems: problemsOf(error, nameOf), ...subjectOf(sent, sent.record) };
  const { account, resource, record } = data;
  const subject = { account, resource, ...idsIn(record) };
  const read = readRecord(resource, record);
  if ('problems' in read) return { problems: problemsIn('record', read.problems), subject };
  return { ...subject, entry: read.entry, leftOut: problemsIn('record', read.leftOut) };
}

function readDeletion(sent: Sent): ReadMessage | RefusedMessage {
  const { data, error } = inboxDeletion().safeParse(sent);
  const { subject } = subjectOf(sent, sent.deleted);
  if (!data || !subject) return { problems: problemsOf(error, nameOf), ...(subject ? { subject } : {}) };
  const leftOut = problemsIn('deleted', leftOutOf(data.deleted));
  return { ...subject, deletion: toDeletion(data.deleted), leftOut };
}

const problemsIn = (part: 'record' | 'deleted', issues: readonly z.ZodError['issues'][number][]): string[] =>
  problemsOf({ issues: issues.map((issue) => ({ ...issue, path: [part, ...issue.path] })) }, nameOf);

/** What a message is about, as far as it can be read, so that your app is told of it. */
function subjectOf({ account, resource: name }: Sent, record: unknown): { subject?: Subject } {
  const resource = typeof name === 'string' ? resourceNamed(name) : undefined;
  if (!isAccount(account) || resource === undefined) return {};
  return { subject: { account, resource, ...idsIn(isObject(record) ? record : {}) } };
}

/** How the product names a record, as far as that can be read. */
function idsIn(record: object): Pick<Subject, 'source_id' | 'external_id' | 'revision'> {
  const { source_id, external_id, revision } = record as Record<string, unknown>;
  const idOf = (sent: unknown) => externalId().safeParse(sent).data ?? null;
  return {
    source_id: idOf(source_id),
    external_id: idOf(external_id),
    revision: Number.isSafeInteger(revision) ? (revision as number) : null,
  };
}

/** The names by which a message finds its record, or that it gives it. */
export const namesIn = ({ entry, deletion }: MessageContent): string[] => {
  if (entry) return namesOf(entry);
  const { sourceId, externalId, recordId } = deletion;
  const all = { source: sourceId, external: externalId, record: recordId };
  return Object.entries(all).flatMap(([kind, name]) => (name === undefined ? [] : [`${kind} ${name}`]));
};
