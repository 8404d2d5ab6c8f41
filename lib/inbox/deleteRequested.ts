import { InputError, parseInvocation } from '../aws/invocation.ts';
import { inboxDeletion, typeOfPath } from '../contract/inboxContract.ts';
import type { DeletionResult } from '../records/deletion/deleteNamed.ts';
import type { Tombstone } from '../records/recordItem.ts';
import { byProduct } from '../records/recordOrigin.ts';
import { toDeletion } from './inboxResources.ts';
import { storeDeletions } from './storeMessages.ts';

/**
 * Deletes a record at your app's request.
 * @returns the result, with the field names of the API
 * @throws InputError also if the account never had the record with this id
 */
export async function deleteRequested(input: unknown, deadline: number) {
  const { account, resource, deleted } = parseInvocation(inboxDeletion(), input);
  const options = { origin: byProduct, deadline };
  const ref = { account, type: typeOfPath[resource] };
  const [result] = (await storeDeletions(ref, [toDeletion(deleted)], options)) as [DeletionResult];
  if (result.kind === 'refused') throw new InputError(`${result.reason} in the account ${account}`);
  const tombstone: Partial<Tombstone> = result.kind === 'waiting' ? {} : result;
  const { id = null, version = null, deletedAt = null, mergedInto = null } = tombstone;
  return { result: result.kind, id, version, deleted_at: deletedAt, merged_into: mergedInto };
}
