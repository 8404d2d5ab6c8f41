// Implements the operations by which clients write records: one function for each operation, whatever the resource.
import type { Origin } from '../contract/origin.ts';
import type { IdempotentRequest } from '../dynamodb/idempotency.ts';
import type { Access } from '../keys/access.ts';
import { createRecord } from '../records/commitQueue/create.ts';
import { deleteById } from '../records/deletion/deleteRecord.ts';
import { inAccount } from '../records/recordKeys.ts';
import { assertRefs, withoutUnknownRefs } from '../records/refs.ts';
import { updateRecord } from '../records/update.ts';
import { upsertBatch, upsertRecord } from '../records/upsert/upsert.ts';
import type { Collection, Content, Stored } from '../resources/collection.ts';
import { patched, withExternalId } from '../resources/patch.ts';
import type { Shaped } from '../resources/resource.ts';
import type { RefusedEntry } from '../schemas/batch.ts';
import { asAnswer, CreatedAnswer } from './answers.ts';
import { batchResults } from './batchResults.ts';

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
