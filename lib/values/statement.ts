// What another system says about a record beside its fields. docs/merge.md says what it does.
import { id, integer, oneOf, time } from './fields.ts';
import { type Demand, noTime, orNull } from './structure.ts';
import { externalId, isBlank } from './texts/texts.ts';

/** @param prefix of the ids of records */
export const statementTerms = (prefix: string) => ({
  /** The product's own id of the record. */
  source_id: orNull(externalId()),
  /** The id of the record that `source_id` belongs to from now on. */
  id: orNull(id(prefix)),
  /** The time of that system: an older state never replaces a newer one. */
  updated_at: orNull(time(), noTime),
  known_version: orNull(integer({ min: 0 })),
  revision: orNull(integer({ min: 0 })),
  left_out: oneOf('clear', 'keep'),
});

export const blankTerms = {
  external_id: null,
  source_id: null,
  id: null,
  updated_at: null,
  known_version: null,
  revision: null,
  left_out: 'clear',
} as const;

const has = (value: unknown): boolean =>
  value !== undefined && value !== null && !(typeof value === 'string' && isBlank(value));

/** A record is found by the one or by the other. */
export const isFound: Demand = {
  field: 'external_id',
  holds: ({ external_id, source_id }) => has(external_id) || has(source_id),
  rule: 'is required and must be an id of 1 to 255 visible characters, unless there is a source_id',
};

export const isLinked: Demand = {
  field: 'id',
  holds: ({ id, source_id }) => !has(id) || has(source_id),
  rule: 'must be left out without a source_id, to which it links a record',
};
