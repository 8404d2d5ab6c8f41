import { ApiError } from '../apiError.ts';
import { constant, ours } from '../constant.ts';
import { readScopes } from '../contract/eventTypes.ts';
import { keptText } from '../problem.ts';
import { quoted } from '../quoted.ts';

/** The fields that records of every type have. */
export interface Stored {
  id: string;
  external_id: string | null;
  version: number;
  created_at: string;
  updated_at: string;
}

/** The fields of a record that clients and other systems set: all but those that only the server writes. */
export type Content<R extends Stored> = Omit<R, 'id' | 'version' | 'created_at' | 'updated_at'>;

/** One type of record. An account has one collection of each. */
export interface Collection<R extends Stored> {
  /** The type's name in keys and events. With spaces it is the resource's name in messages. */
  type: 'contact' | 'order' | 'event_registration';
  prefix: 'con' | 'ord' | 'reg';
  /** All fields, in the order of answers. */
  layout: Record<keyof R, Layout>;
  /** A field with this value is not stored. */
  blank: Partial<Content<R>>;
  /** The most bytes of a record in an answer, if they are more than the usual ones. */
  bytesMax?: number;
}

/**
 * The order of the fields of a value, because DynamoDB keeps the fields of a map in no order. `null` stands for a plain value,
 * an object for an object with these fields, a list of one layout for a list of such values, and `by name` for an object
 * whose fields the account names.
 */
export type Layout = null | 'by name' | readonly [Layout] | { readonly [field: string]: Layout };

export const resourceName = ({ type }: Pick<Collection<Stored>, 'type'>): string => type.replaceAll('_', ' ');

/**
 * The status is 400 and not 409, so that a client gets one status for everything that is wrong with its JSON. Only a key that
 * may read the other record gets its id: with the id, a key that may only write could change a record that it cannot see.
 */
export const externalIdTaken = (
  { type }: Pick<Collection<Stored>, 'type'>,
  externalId: string,
  by: string,
): ApiError => {
  const name = resourceName({ type });
  const taken = `external_id ${quoted(externalId)} already belongs to`;
  return new ApiError(400, `${taken} another ${name}`, {
    kept: keptText(constant`external_id already belongs to another ${ours(name)}`),
    detail: { scope: readScopes[type], message: `${taken} the ${name} ${by}`, record: by },
  });
};
