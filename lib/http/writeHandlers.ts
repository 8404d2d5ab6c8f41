// Implements the operations by which clients write records: one function for each operation, whatever the resource.
import type { Origin } from '../contract/origin.ts';
import type { IdempotentRequest } from '../dynamodb/idempotency.ts';
import { errorBody, joinProblems } from '../errors/apiError.ts';
import { type Access, allows } from '../keys/access.ts';
import { createRecord } from '../records/commitQueue/create.ts';
import { deleteById } from '../records/deletion/deleteRecord.ts';
import { inAccount, resourceName } from '../records/recordKeys.ts';
import { assertRefs, withoutUnknownRefs } from '../records/refs.ts';
import { updateRecord } from '../records/update.ts';
import { type BatchOutcome, upsertBatch, upsertRecord } from '../records/upsert/upsert.ts';
import type { BatchResult } from '../resources/batchResult.ts';
import type { Collection, Content, Stored } from '../resources/collection.ts';
import { type ResourceType, resources } from '../resources/index.ts';
import { patched, withExternalId } from '../resources/patch.ts';
import type { Shaped } from '../resources/resource.ts';
import { RefusedEntry, refusalMax } from '../schemas/batch.ts';
import { asAnswer, CreatedAnswer } from './answers.ts';

type Written<R extends Stored> = Collection<R> & Shaped;

interface Call {
  account: string;
  origin: Origin;
  deadline: number;
  access: Access;
  params: Record<string, string>;
  once: IdempotentRequest | undefined;
  permit(version: number | undefined): void;
}

/** The id in the path. */
const idIn = ({ params }: Call): string => Object.values(params)[0] as string;

export const creating =
  <R extends Stored>(written: Written<R>) =>
  async (call: Call & { body: object }) => {
    await assertRefs(written, call.account, call.body);
    return asAnswer(await createRecord(inAccount(written, call.account), call.body as Content<R>, call));
  };

export const updating =
  <R extends Stored>(written: Written<R>) =>
  async (call: Call & { body: object }): Promise<R> => {
    await assertRefs(written, call.account, call.body);
    const change = ({ record }: { record: R }) => {
      call.permit(record.version);
      return { content: patched(written, record, call.body) };
    };
    return updateRecord(inAccount(written, call.account), idIn(call), change, call);
  };

export const upserting =
  <R extends Stored>(written: Written<R>) =>
  async (call: Call & { body: { external_id: string | null } }) => {
    const content = withExternalId(call.body as Content<R>, idIn(call));
    await assertRefs(written, call.account, content);
    const { record, isNew } = await upsertRecord(inAccount(written, call.account), content, call);
    return isNew ? new CreatedAnswer(record) : record;
  };

/** @param list the name of the list in the body */
export const upsertingMany =
  <R extends Stored, List extends string>(written: Written<R>, list: List) =>
  async (call: Call & { body: Record<List, (RefusedEntry | { external_id: string })[]> }) => {
    const entries = await withoutUnknownRefs(written, call.account, call.body[list]);
    const outcomes = await upsertBatch(
      inAccount(written, call.account),
      entries as (RefusedEntry | Content<R>)[],
      call,
    );
    return batchResults(written.type, outcomes, call.access);
  };

export const deleting =
  <R extends Stored>(written: Written<R>) =>
  async (call: Call): Promise<undefined> => {
    await deleteById(inAccount(written, call.account), idIn(call), call);
  };

/** Returns the response to a batch: for each entry, the status that a single call would have had, or 504 if time ran out. */
export const batchResults = (
  type: ResourceType,
  outcomes: readonly BatchOutcome<Stored>[],
  access: Access,
): { results: BatchResult[] } => ({
  results: outcomes.map((outcome) => resultOf(type, outcome, allows(access, resources[type].scopes[0]))),
});

function resultOf(type: ResourceType, outcome: BatchOutcome<Stored>, mayRead: boolean): BatchResult {
  if (outcome instanceof RefusedEntry) return refusal(400, joinProblems(outcome.problems));
  if (outcome.kind === 'refused') return refusal(400, outcome.reason);
  // No stored state can be older than a client's.
  if (outcome.kind === 'unreached' || outcome.kind === 'outdated')
    return refusal(
      504,
      `The request timed out before this ${resourceName({ type })} was confirmed as stored; send it again`,
    );
  const { id, version } = outcome.record;
  if (outcome.kind === 'created') return { status: 201, id, version };
  // As with PATCH, a key that may not read an existing record gets only its version.
  return mayRead ? { status: 200, id, version } : { status: 204, version };
}

const refusal = (status: 400 | 504, message: string): BatchResult => ({
  status,
  ...errorBody(
    status,
    message.length > refusalMax ? `${message.slice(0, refusalMax - 1).toWellFormed()}…` : message,
  ),
});
