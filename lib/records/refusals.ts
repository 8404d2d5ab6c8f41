// How messages name a resource, and a refusal that several writes share.
import { ApiError, notFound, plainError } from '../errors/apiError.ts';
import { constant, ours } from '../errors/constant.ts';
import { keptText } from '../errors/problem.ts';
import { quoted } from '../errors/quoted.ts';
import { resources } from '../resources/index.ts';
import type { CollectionRef } from './keys.ts';

export const resourceName = ({ type }: Pick<CollectionRef, 'type'>): string => type.replaceAll('_', ' ');

/**
 * The status is 400 and not 409, so that a client gets one status for everything that is wrong with its JSON. Only a key that
 * may read the other record gets its id: with the id, a key that may only write could change a record that it cannot see.
 */
export const externalIdTaken = (
  { type }: Pick<CollectionRef, 'type'>,
  externalId: string,
  by: string,
): ApiError => {
  const name = resourceName({ type });
  const taken = `external_id ${quoted(externalId)} already belongs to`;
  return new ApiError(400, `${taken} another ${name}`, {
    kept: keptText(constant`external_id already belongs to another ${ours(name)}`),
    detail: { scope: resources[type].scopes[0], message: `${taken} the ${name} ${by}`, record: by },
  });
};

/** The product learns no more than that: it knows its own ids. */
export const sourceIdTaken = (of: Pick<CollectionRef, 'type'>): ApiError =>
  plainError(400, constant`source_id already belongs to another ${ours(resourceName(of))}`);

export const otherSourceId = (of: Pick<CollectionRef, 'type'>): ApiError =>
  plainError(400, constant`the ${ours(resourceName(of))} with this id has another source_id`);

/** A statement that says nothing by which a row that came back can be told from one that is gone. */
export const rowIsGone = (of: Pick<CollectionRef, 'type'>): ApiError =>
  plainError(
    400,
    constant`the row of this source_id was deleted: the ${ours(resourceName(of))} of a row that came back says since`,
  );

/** 404 as for an unknown id, unless the key may read the record that is there instead. */
export const merged = (
  { type }: Pick<CollectionRef, 'type'>,
  { id, into }: { id: string; into: string },
): ApiError => {
  const { message, kept } = notFound(resourceName({ type }), id);
  return new ApiError(404, message, {
    ...(kept ? { kept } : {}),
    detail: { scope: resources[type].scopes[0], message: `${message}: it was merged into ${into}` },
  });
};
