// How messages name a resource, and a refusal that several writes share.
import { type ApiError, errorOf } from '../errors/apiError.ts';
import { constant, ours, said, theirs } from '../errors/constant.ts';
import { quoted } from '../errors/quoted.ts';
import type { Collection, Stored } from '../resources/collection.ts';

export const resourceName = ({ type }: Pick<Collection<Stored>, 'type'>): string => type.replaceAll('_', ' ');

/**
 * The status is 400 and not 409, so that a client gets one status for everything that is wrong with its JSON. Only a key that
 * may read the other record gets its id: with the id, a key that may only write could change a record that it cannot see.
 */
export const externalIdTaken = (
  { type, readScope }: Pick<Collection<Stored>, 'type' | 'readScope'>,
  externalId: string,
  by: string,
): ApiError => {
  const name = resourceName({ type });
  const id = quoted(externalId);
  const message = `external_id ${id} already belongs to the ${name} ${by}`;
  return errorOf(400, said`external_id${theirs(` ${id}`)} already belongs to another ${ours(name)}`, {
    detail: { scope: readScope, message, record: by },
  });
};

/** The product learns no more than that: it knows its own ids. */
export const sourceIdTaken = (of: Pick<Collection<Stored>, 'type'>): ApiError =>
  errorOf(400, constant`source_id already belongs to another ${ours(resourceName(of))}`);

export const otherSourceId = (of: Pick<Collection<Stored>, 'type'>): ApiError =>
  errorOf(400, constant`the ${ours(resourceName(of))} with this id has another source_id`);
