import { ApiError } from '../apiError.ts';
import { readScopes } from '../contract/eventTypes.ts';

/** What every record has, whatever it describes. */
export interface Stored {
  id: string;
  external_id: string | null;
  version: number;
  created_at: string;
  updated_at: string;
}

/** The fields of a record that say something: all but those that only the server writes. */
export type Content<R extends Stored> = Omit<R, 'id' | 'version' | 'created_at' | 'updated_at'>;

/** One type of record. An account has one collection of each. */
export interface Collection<R extends Stored> {
  /** The type's name in keys and events; in plain words it is the resource's name in messages. */
  type: 'contact' | 'order' | 'event_registration';
  prefix: 'con' | 'ord' | 'reg';
  /** Every field in the order in which answers show it. */
  layout: Record<keyof R, Layout>;
  /** Fields that a record has at this value are not stored. */
  blank: Partial<Content<R>>;
}

/**
 * How a value is arranged, since DynamoDB keeps the fields of a map in no order: `null` for a plain value, an object for
 * one with these fields, a list of one for a list of such, `by name` for an object with fields of the account's own.
 */
export type Layout = null | 'by name' | readonly [Layout] | { readonly [field: string]: Layout };

export const resourceName = ({ type }: Pick<Collection<Stored>, 'type'>): string => type.replaceAll('_', ' ');

/**
 * 400 and not 409: a client that sends nothing but JSON meets no other status for what is wrong with its JSON. The id of the other
 * record is for keys that may read it: with it, a key that may only write could change a record that it was never told of.
 */
export const externalIdTaken = (
  { type }: Pick<Collection<Stored>, 'type'>,
  externalId: string,
  by: string,
): ApiError => {
  const name = resourceName({ type });
  const taken = `external_id "${externalId}" already belongs to`;
  return new ApiError(400, `${taken} another ${name}`, {
    detail: { scope: readScopes[type], message: `${taken} the ${name} ${by}` },
  });
};
