// Errors that several writers share.
import { ApiError, notFound } from '../errors/apiError.ts';
import { ours, said, theirs } from '../errors/constant.ts';
import { keptText } from '../errors/problem.ts';
import { quoted } from '../errors/quoted.ts';
import { resources } from '../resources/index.ts';
import type { Rejection } from './deletion/decide.ts';
import { type CollectionRef, resourceName } from './recordKeys.ts';
import type { DeletionNote } from './source.ts';

/**
 * Returns the error for an external id of another record. The status is 400 rather than 409, so that clients get one status for everything that
 * is wrong with their JSON. Only a key that may read the other record sees its id. A write-only key could use it to change a record that it
 * cannot see.
 */
export const externalIdTaken = (
  { type }: Pick<CollectionRef, 'type'>,
  externalId: string,
  by: string,
): ApiError => {
  const name = resourceName({ type });
  const sent = theirs(quoted(externalId));
  const { shown, kept } = said`external_id ${sent} already belongs to another ${ours(name)}`;
  const { shown: message } = said`external_id ${sent} already belongs to the ${ours(name)} ${theirs(by)}`;
  return new ApiError(400, shown, {
    kept: keptText(kept),
    detail: { scope: resources[type].scopes[0], message, record: by },
  });
};

/** The reason for refusing something that is not older than the stored state. It contains no values. */
export interface Refused {
  kind: 'refused';
  reason: string;
  /** The rejection that your app can handle; undefined if a value is not allowed. */
  rejection?: Rejection | undefined;
  /** A deletion that your app may not know: its time, RFC 3339 UTC, and the id of the deleted record. */
  deletedAt?: string | undefined;
  deletedId?: string | undefined;
}

const reasons: Record<Rejection, (name: string) => string> = {
  row_was_deleted: () => 'the row was deleted',
  deleted_here: (name) => `the ${name} was deleted here`,
  unknown_id: (name) => `No ${name} has this id`,
  other_record: (name) => `the ids belong to more than one ${name}`,
  deletion_unproven: (name) => `a ${name} is there since the last deletion: this may be that one`,
  contradiction: (name) =>
    `the deletion contradicts what was sent of the ${name}: the row is newer, or the ids or the merge are of others`,
};

/** Returns a rejection of a message from your app. @param note the last deletion of the name, or of the record that the message names */
export function rejected(
  of: Pick<CollectionRef, 'type'>,
  rejection: Rejection,
  { deleted_at, deleted_id }: Partial<DeletionNote> = {},
): Refused {
  const reason = reasons[rejection](resourceName(of));
  const isOpen = deleted_at !== undefined && !['unknown_id', 'other_record'].includes(rejection);
  return {
    kind: 'refused',
    rejection,
    reason: isOpen ? `${reason} (at ${deleted_at}; known_deletion answers it)` : reason,
    ...(isOpen ? { deletedAt: deleted_at, deletedId: deleted_id } : {}),
  };
}

/** Returns the 404 of an unknown id. A key that may read the collection also sees the record into which this one was merged. */
export const notFoundMerged = (
  { type }: Pick<CollectionRef, 'type'>,
  { id, into }: { id: string; into: string },
): ApiError => {
  const { message, kept } = notFound(resourceName({ type }), id);
  return new ApiError(404, message, {
    ...(kept ? { kept } : {}),
    detail: { scope: resources[type].scopes[0], message: `${message}: it was merged into ${into}` },
  });
};
