import type * as z from 'zod';
import {
  inboxDeletion,
  inboxEnvelope,
  inboxMessage,
  type ResourcePath,
  resourceNamed,
} from '../contract/inboxContract.ts';
import type { Deletion } from '../records/deletion/deleteNamed.ts';
import { namesOf, type UpsertEntry } from '../records/upsert/upsertEntry.ts';
import type { Stored } from '../resources/collection.ts';
import { isAccount } from '../schemas/account.ts';
import { isObject, readObject } from '../schemas/json.ts';
import { lazy } from '../schemas/lazy.ts';
import { problemsOf } from '../schemas/problemMessages.ts';
import { fieldNames } from '../schemas/reading.ts';
import { externalId } from '../schemas/texts.ts';
import { toDeletion } from './inboxResources.ts';
import { leftOutOf, readRecord } from './readRecord.ts';

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

/** A message about a record of an account: the record itself, or its deletion. */
export type ReadMessage = Subject &
  MessageContent & {
    /** The problems of the fields that were left out because they could not be read. */
    leftOut: readonly string[];
  };

/** A message that cannot be stored. Without an account and a resource, the problem cannot be reported to your app. */
export interface RefusedMessage {
  problems: readonly string[];
  subject?: Subject;
}

const contractNames = lazy(() => new Set([...fieldNames(inboxMessage()), ...fieldNames(inboxDeletion())]));

/** Returns a name for the log. It hides a name that is not in the contract, because it may be a person's name. */
const nameOf = (name: string): string => (contractNames().has(name) ? name : '"…"');

/** Matches a number or a UUID. Any other id may be a name or an email address, so the log leaves it out. */
const plainId = /^(?:\d{1,20}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** Returns the ids of a record for the log, so that you can find the row in your app. */
export const loggedSubject = ({ account, resource, source_id }: Subject) => ({
  account,
  resource,
  ...(plainId.test(String(source_id)) ? { source_id } : {}),
});

/** A message as it was sent. */
type Sent = Partial<Record<'account' | 'resource' | 'record' | 'deleted', unknown>>;

/** Reads the body of a message. @returns the content; if the message cannot be stored, its problems and its subject */
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

/** Returns the readable part of a message's subject, so that the problem can be reported to your app. */
function subjectOf({ account, resource: name }: Sent, record: unknown): { subject?: Subject } {
  const resource = typeof name === 'string' ? resourceNamed(name) : undefined;
  if (!isAccount(account) || resource === undefined) return {};
  return { subject: { account, resource, ...idsIn(isObject(record) ? record : {}) } };
}

/** Returns the ids that your app uses for a record. An id that cannot be read becomes `null`. */
function idsIn(record: object): Pick<Subject, 'source_id' | 'external_id' | 'revision'> {
  const { source_id, external_id, revision } = record as Record<string, unknown>;
  const idOf = (sent: unknown) => externalId().safeParse(sent).data ?? null;
  return {
    source_id: idOf(source_id),
    external_id: idOf(external_id),
    revision: Number.isSafeInteger(revision) ? (revision as number) : null,
  };
}

/** Returns the names by which a message finds its record, and the names that it assigns to the record. */
export const namesIn = ({ entry, deletion }: MessageContent): string[] => {
  if (entry) return namesOf(entry);
  const { sourceId, externalId, recordId } = deletion;
  const all = { source: sourceId, external: externalId, record: recordId };
  return Object.entries(all).flatMap(([kind, name]) => (name === undefined ? [] : [`${kind} ${name}`]));
};
