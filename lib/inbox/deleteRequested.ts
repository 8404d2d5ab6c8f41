import { InputError, parseInput } from '../aws/invocation.ts';
import { inboxDeletion, typeOfPath } from '../contract/inbox.ts';
import type { DeletionResult } from '../records/deletion/deleteStated.ts';
import { byProduct } from '../records/origin.ts';
import { storeDeletion } from './contactLinks.ts';
import { toDeletion } from './resources.ts';

/** The result of a deletion, with the field names of the API. */
interface Deleted {
  result: Exclude<DeletionResult['kind'], 'refused' | 'waiting'>;
  id: string | null;
  version: number | null;
  deleted_at: string | null;
  merged_into: string | null;
}

/** Deletes a record as the product demands it. @throws InputError also when the account never had the record with this id */
export async function deleteRequested(input: unknown, deadline: number): Promise<Deleted> {
  const { account, resource, deleted } = parseInput(inboxDeletion(), input);
  const options = { origin: byProduct, deadline };
  const ref = { account, type: typeOfPath[resource] };
  const result = await storeDeletion(ref, toDeletion(deleted), options);
  if (result.kind === 'refused') throw new InputError(`${result.reason} in the account ${account}`);
  const { id = null, version = null, deletedAt = null, mergedInto = null } = 'id' in result ? result : {};
  const kind = result.kind as Deleted['result'];
  return { result: kind, id, version, deleted_at: deletedAt, merged_into: mergedInto };
}
